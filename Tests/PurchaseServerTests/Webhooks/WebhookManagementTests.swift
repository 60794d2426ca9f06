import Foundation
import FoundationExtras
import HTTPTypes
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// The requests that manage webhook endpoints.
@Suite struct WebhookManagementTests {
    private static func admin(_ shop: Shop) -> Shop.Sender { .headers([.authorization: "Bearer \(shop.keys.admin)"]) }

    @Test func `an operator creates, changes, lists and removes endpoints, and only the creation states the secret`() async throws {
        try await Shop.open { shop async throws in
            let admin = Self.admin(shop)
            let request = CreateWebhookRequest(url: Shop.receiver, note: "staging", types: ["purchase.refunded", "purchase.recorded"])
            let created: WebhookSecretReply = try await shop.call(ServerEndpoints.createWebhook, request, by: admin).value()
            let webhook = created.webhook
            #expect(created.secret.hasPrefix("whsec_") && webhook.id.hasPrefix("we_") && webhook.isEnabled)
            #expect(webhook.types == ["purchase.recorded", "purchase.refunded"] && webhook.note == "staging")
            let list = try await shop.call(ServerEndpoints.webhooks, Empty(), by: admin)
            #expect(try list.value(WebhooksReply.self).webhooks == [webhook])
            #expect(!String(decoding: list.body, as: UTF8.self).contains("whsec_"))

            let change = ChangeWebhookRequest(note: "", types: [], isEnabled: false)
            let changed: WebhookReply = try await shop.call(
                ServerEndpoints.changeWebhook, change, ["webhook": webhook.id], by: admin
            ).value()
            #expect(changed.types == [] && changed.url == Shop.receiver && !changed.isEnabled && changed.disabledBecause != nil)
            let rotated: WebhookSecretReply = try await shop.call(
                ServerEndpoints.rotateWebhookSecret, RotateWebhookSecretRequest(), ["webhook": webhook.id], by: admin
            ).value()
            #expect(rotated.secret != created.secret)
            let rest: WebhooksReply = try await shop.call(ServerEndpoints.removeWebhook, Empty(), ["webhook": webhook.id], by: admin)
                .value()
            #expect(rest.webhooks == [])
            #expect(try await shop.storageOfServer { try $0.secretNames() }.allSatisfy { !$0.hasPrefix("webhook.") })
        }
    }

    @Test func `a removed endpoint leaves no message, no dead letter and no secret`() async throws {
        try await Shop.open { shop async throws in
            let sender = try shop.sender(FakeReceiver { _ in .status(500) })
            let id = try await shop.createWebhook()
            for number in 1...3 { try await shop.sell(number, to: CustomerID("0000000\(number)-1111-4222-8333-444444444444")) }
            try await sender.run(id, publishing: shop.feed)
            #expect(try await shop.webhooks.list().webhooks.map(\.waitingCustomers) == [3])
            _ = try await shop.webhooks.remove(id)
            let rows = try await shop.server.storage.write(.test) { try $0.removeWebhookDeliveries(to: id, limit: 100) }
            #expect(rows == 0)
            try await sender.run(id, publishing: shop.feed)
            #expect(try await sender.work() == [])
        }
    }

    @Test(arguments: ["publishable", "secret"])
    func `the key of an app or of a backend manages no webhooks`(_ kind: String) async throws {
        try await Shop.open { shop async throws in
            let sender: Shop.Sender = kind == "secret" ? .backend(nil) : .app(nil)
            let answer = try await shop.call(ServerEndpoints.createWebhook, CreateWebhookRequest(url: Shop.receiver), by: sender)
            #expect(answer.status == .forbidden)
            #expect(try await shop.call(ServerEndpoints.webhooks, Empty(), by: sender).status == .forbidden)
        }
    }

    @Test(arguments: [
        (CreateWebhookRequest(url: "no url"), "webhooks.url"), (CreateWebhookRequest(url: "https://user:pass@a.example/"), "webhooks.url"),
        (CreateWebhookRequest(url: "http://receiver.example/"), "webhooks.address"),
        (CreateWebhookRequest(url: "https://127.0.0.1/"), "webhooks.address"),
        (CreateWebhookRequest(url: "https://[fe80::1]/"), "webhooks.address"),
        (CreateWebhookRequest(url: "https://169.254.169.254/latest/meta-data"), "webhooks.address"),
        (CreateWebhookRequest(url: Shop.receiver, note: String(repeating: "n", count: 201)), "webhooks.note"),
        (CreateWebhookRequest(url: Shop.receiver, types: ["purchase.lost"]), "webhooks.type"),
    ])
    func `a request with an invalid member is refused`(_ request: CreateWebhookRequest, _ code: String) async throws {
        try await Shop.open { shop async throws in
            let answer = try await shop.call(ServerEndpoints.createWebhook, request, by: Self.admin(shop))
            #expect(answer.status == .badRequest && answer.code == code)
            #expect(try await shop.webhooks.list().webhooks.isEmpty)
            #expect(try await shop.storageOfServer { try $0.secretNames() }.allSatisfy { !$0.hasPrefix("webhook.") })
        }
    }

    @Test func `an unknown endpoint, an invalid selection and too many endpoints are refused`() async throws {
        try await Shop.open { shop async throws in
            let admin = Self.admin(shop)
            let unknown = try await shop.call(ServerEndpoints.removeWebhook, Empty(), ["webhook": "we_1"], by: admin)
            #expect(unknown.status == .notFound && unknown.code == "webhooks.unknown")
            let id = try await shop.createWebhook()
            let selections = [
                ResendWebhooksRequest(), ResendWebhooksRequest(messages: []), ResendWebhooksRequest(messages: ["a"], from: .testStart),
                ResendWebhooksRequest(messages: (0...100).map { "\($0)" }),
            ]
            for selection in selections {
                let answer = try await shop.call(ServerEndpoints.resendWebhooks, selection, ["webhook": id], by: admin)
                #expect(answer.code == "webhooks.selection")
            }
            let cursor = ResendWebhooksRequest(from: .testStart, after: "x")
            #expect(try await shop.call(ServerEndpoints.resendWebhooks, cursor, ["webhook": id], by: admin).code == "webhooks.cursor")
            let overlap = RotateWebhookSecretRequest(overlapSeconds: -1)
            #expect(
                try await shop.call(ServerEndpoints.rotateWebhookSecret, overlap, ["webhook": id], by: admin).code == "webhooks.overlap")
            let letters = try await shop.call(ServerEndpoints.deadLetters, Empty(), ["webhook": id], query: "?after=x", by: admin)
            #expect(letters.code == "webhooks.cursor")
            for _ in 1..<WebhookService.endpointLimit { _ = try await shop.createWebhook() }
            let one = try await shop.call(ServerEndpoints.createWebhook, CreateWebhookRequest(url: Shop.receiver), by: admin)
            #expect(one.status == .conflict && one.code == "webhooks.too_many")
        }
    }

    @Test func `an endpoint survives the restart of the server and the rotation of the secrets' key`() async throws {
        try await Shop.open { shop async throws in
            let receiver = FakeReceiver()
            let sender = try shop.sender(receiver)
            let id = try await shop.createWebhook(["purchase.recorded"])
            _ = try await shop.server.rotateSecretKey()
            try await shop.sell(1)
            try await sender.run(id, publishing: shop.feed)
            #expect(receiver.messages.count == 1)
        }
    }
}
