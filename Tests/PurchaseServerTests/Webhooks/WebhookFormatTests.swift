import Foundation
import FoundationExtras
import HTTPTypes
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// The formats of the messages to webhook endpoints, and the acknowledgments for which submissions wait.
@Suite struct WebhookFormatTests {
    @Test func `an endpoint of RevenueCat's format receives a purchase with the members of RevenueCat's webhooks`() async throws {
        try await Shop.open { shop async throws in
            let receiver = FakeReceiver()
            let request = CreateWebhookRequest(url: Shop.receiver, format: .revenueCat, authorization: "Bearer 1234")
            let id = try await shop.webhooks.create(request).webhook.id
            try await shop.sell(1)
            try await shop.sender(receiver).run(id, publishing: shop.feed)
            // The entitlement of the purchase has no message of its own.
            let message = try #require(receiver.received.first)
            #expect(receiver.received.count == 1 && message.headers["Authorization"] == "Bearer 1234")
            let body = try #require(try JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any])
            #expect(body["api_version"] as? String == "1.0")
            let event = try #require(body["event"] as? [String: Any])
            #expect(event["type"] as? String == "NON_RENEWING_PURCHASE" && event["id"] as? String == message.message)
            #expect(event["app_user_id"] as? String == Shop.customer.rawValue && event["store"] as? String == "APP_STORE")
            #expect(event["transaction_id"] as? String == "1" && event["entitlement_ids"] as? [String] != nil)
        }
    }

    @Test func `an endpoint of notifications receives no events`() async throws {
        try await Shop.open { shop async throws in
            let receiver = FakeReceiver()
            let id = try await shop.webhooks.create(CreateWebhookRequest(url: Shop.receiver, format: .notification)).webhook.id
            try await shop.sell(1)
            let sender = try shop.sender(receiver)
            try await shop.feed.publish()
            #expect(try await sender.work() == [WebhookSender.Work(endpoint: id, hasEvents: false, isDue: false)])
        }
    }

    @Test func `an endpoint of notifications receives each notification once, with the bytes of the App Store, and again on request`()
        async throws
    {
        try await Shop.open { shop async throws in
            let receiver = FakeReceiver()
            let id = try await shop.webhooks.create(CreateWebhookRequest(url: Shop.receiver, format: .notification)).webhook.id
            let payload = try NotificationPayload.about(.bookSale, type: "ONE_TIME_CHARGE", uuid: "u1")
            for _ in 1...2 { #expect(try await shop.notify(payload).status == .ok) }
            let sender = try shop.sender(receiver)
            try await sender.run(id, publishing: shop.feed)
            let stored = try await shop.storageOfServer { try $0.notification("u1")?.signedNotification?.compact }
            let body = JSONValue.object([JSONValue.Member("signedPayload", .string(try #require(stored)))]).bytes
            #expect(receiver.received.map(\.message) == ["u1"] && receiver.received.map(\.body) == [body])
            for request in [ResendWebhooksRequest(messages: ["u1"]), ResendWebhooksRequest(from: Timestamp(milliseconds: 0))] {
                #expect(try await shop.webhooks.resend(to: id, request) == ResendWebhooksReply(enqueued: 1, nextCursor: nil))
                try await sender.run(id, publishing: shop.feed)
            }
            #expect(receiver.received.map(\.body) == [body, body, body])
        }
    }

    @Test func `an operator sends a message of a type that the endpoint does not select, by its identifier`() async throws {
        try await Shop.open { shop async throws in
            let receiver = FakeReceiver()
            let id = try await shop.createWebhook(["purchase.refunded"])
            try await shop.sell(1)
            let sender = try shop.sender(receiver)
            try await sender.run(id, publishing: shop.feed)
            let event = try #require(try await shop.events().first)
            let since = ResendWebhooksRequest(from: Timestamp(milliseconds: 0))
            #expect(try await shop.webhooks.resend(to: id, since).enqueued == 0)
            #expect(try await shop.webhooks.resend(to: id, ResendWebhooksRequest(messages: [event.id])).enqueued == 1)
            try await sender.run(id, publishing: shop.feed)
            #expect(receiver.received.map(\.message) == [event.id])
        }
    }

    @Test(arguments: [
        (WebhookFormat.event, "RENEWAL"), (.revenueCat, "purchase.recorded"), (.notification, "purchase.recorded"),
    ])
    func `a type of another format is refused`(_ format: WebhookFormat, _ type: String) async throws {
        try await Shop.open { shop async throws in
            await #expect(throws: WebhookRefusal.type(type)) {
                _ = try await shop.webhooks.create(CreateWebhookRequest(url: Shop.receiver, types: [type], format: format))
            }
        }
    }

    @Test func `a submission waits for no endpoint, and for an endpoint that has acknowledged the messages about the customer`()
        async throws
    {
        try await Shop.open { shop async throws in
            let acknowledgments = try #require(shop.server.apps[.test]?.acknowledgments)
            try await shop.sell(1)
            #expect(try await acknowledgments.wait(for: Shop.customer) == .none)
            let id = try await shop.createWebhook()
            try await shop.sell(2)
            try await shop.sender(FakeReceiver()).run(id, publishing: shop.feed)
            #expect(try await acknowledgments.wait(for: Shop.customer) == .acknowledged)
        }
    }
}
