import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Synchronization
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// The delivery of events to webhook endpoints.
@Suite struct WebhookDeliveryTests {
    private static let other = CustomerID("0c0c0c0c-1111-4222-8333-444444444444")

    @Test func `an endpoint receives each event since its creation once, in the order of the feed, as the feed states it`() async throws {
        try await Shop.open { shop async throws in
            let receiver = FakeReceiver()
            let sender = try shop.sender(receiver)
            try await shop.sell(1)
            try await shop.feed.publish()
            let id = try await shop.createWebhook()
            try await shop.sell(2)
            try await shop.record(.creditSale)
            try await sender.run(id, publishing: shop.feed)
            let events = try await shop.events().dropFirst(2)
            #expect(receiver.received.compactMap(\.event) == Array(events))
            #expect(receiver.received.map(\.message) == events.map(\.id))
            #expect(Set(receiver.received.map(\.address)) == [try #require(IPAddress("93.184.216.34"))])
            try await sender.run(id, publishing: shop.feed)
            #expect(receiver.received.count == events.count)
            #expect(try await sender.work() == [WebhookSender.Work(endpoint: id, hasEvents: false, isDue: false)])
        }
    }

    @Test func `an endpoint receives the selected types only`() async throws {
        try await Shop.open { shop async throws in
            let receiver = FakeReceiver()
            let id = try await shop.createWebhook(["entitlement.activated"])
            try await shop.sell(1)
            try await shop.sender(receiver).run(id, publishing: shop.feed)
            #expect(receiver.received.compactMap { $0.event?.type } == [.entitlementActivated])
        }
    }

    @Test func `a failure holds back the later messages about the same customer only, until the endpoint acknowledges`() async throws {
        try await Shop.open { shop async throws in
            let receiver = FakeReceiver { $0.customer == Shop.customer ? .status(500) : .status(204) }
            let sender = try shop.sender(receiver)
            let id = try await shop.createWebhook()
            try await shop.sell(1)
            try await shop.sell(2, to: Self.other)
            try await shop.sell(3)
            try await sender.run(id, publishing: shop.feed)
            let events = try await shop.events()
            let (own, others) = (events.filter { $0.customer == Shop.customer }, events.filter { $0.customer == Self.other })
            #expect(receiver.take().map(\.message).sorted() == ([own[0].id] + others.map(\.id)).sorted())
            // The next attempt is not due yet.
            try await sender.run(id, publishing: shop.feed)
            #expect(receiver.take().isEmpty)
            receiver.answers { _ in .status(200) }
            shop.clock.advance(seconds: 5)
            try await sender.run(id, publishing: shop.feed)
            #expect(receiver.take().map(\.message) == own.map(\.id))
            #expect(try await shop.webhooks.list().webhooks.map { [$0.waitingCustomers, $0.deadLetters] } == [[0, 0]])
        }
    }

    @Test func `a message that fails for three days becomes a dead letter, and the next message is sent`() async throws {
        try await Shop.open { shop async throws in
            let receiver = FakeReceiver { _ in .unreachable }
            let sender = try shop.sender(receiver)
            let id = try await shop.createWebhook(["purchase.recorded"])
            try await shop.sell(1)
            try await sender.run(id, publishing: shop.feed)
            var attempts: [Int64] = []
            while try await shop.webhooks.deadLetters(of: id, after: nil).deadLetters.isEmpty {
                let due = try #require(try await shop.storageOfServer { try $0.webhookLanes(of: id, dueAfter: nil, limit: 1) }.first?.dueAt)
                attempts.append(due.milliseconds(since: shop.clock.now) / 1_000)
                shop.clock.advance(seconds: attempts.last ?? 0)
                try await sender.run(id, publishing: shop.feed)
            }
            #expect(Array(attempts.prefix(4)) == [5, 10, 20, 40])
            #expect(attempts.max() == Int64(21_600))
            #expect(attempts.reduce(0, +) >= WebhookSchedule.lifetime)
            let letter = try #require(try await shop.webhooks.deadLetters(of: id, after: nil).deadLetters.first)
            #expect(letter.attempts == attempts.count + 1 && letter.customer == Shop.customer && letter.type == "purchase.recorded")
            #expect(letter.failure == "The endpoint is not reachable, or its certificate is not trusted.")
            receiver.answers { _ in .status(200) }
            _ = receiver.take()
            try await shop.sell(2)
            shop.clock.advance(seconds: 60)
            try await sender.run(id, publishing: shop.feed)
            #expect(receiver.take().count == 1)

            // The dead letter is sent again on request, with the same identifier.
            let reply = try await shop.webhooks.resend(to: id, ResendWebhooksRequest(messages: [letter.message]))
            #expect(reply == ResendWebhooksReply(enqueued: 1, nextCursor: nil))
            try await sender.run(id, publishing: shop.feed)
            #expect(receiver.take().map(\.message) == [letter.message])
            #expect(try await shop.webhooks.deadLetters(of: id, after: nil).deadLetters.isEmpty)
        }
    }

    @Test(arguments: [(WebhookResponse.status(410), Int64(0)), (.timeout, WebhookSchedule.failingLimit)])
    func `an endpoint that is gone or fails for days is disabled, and receives its messages after it is enabled`(
        _ response: WebhookResponse, _ seconds: Int64
    ) async throws {
        try await Shop.open { shop async throws in
            let receiver = FakeReceiver { _ in response }
            let sender = try shop.sender(receiver)
            let id = try await shop.createWebhook(["purchase.recorded"])
            try await shop.sell(1, to: Self.other)
            try await sender.run(id, publishing: shop.feed)
            // Days with an attempt in each of them, so that the failures count as one failure of the endpoint.
            for number in 0..<Int(seconds / 43_200) {
                shop.clock.advance(seconds: 43_200)
                try await shop.sell(10 + number, to: Self.other)
                try await sender.run(id, publishing: shop.feed)
            }
            try await shop.sell(2)
            try await sender.run(id, publishing: shop.feed)
            let disabled = try #require(try await shop.webhooks.list().webhooks.first)
            #expect(!disabled.isEnabled && disabled.disabledBecause != nil && disabled.failingSince != nil)
            #expect(try await sender.work() == [])
            _ = receiver.take()
            try await shop.sell(3)
            try await sender.run(id, publishing: shop.feed)
            #expect(receiver.take().isEmpty)

            receiver.answers { _ in .status(200) }
            let enabled = try await shop.webhooks.change(id, ChangeWebhookRequest(isEnabled: true))
            #expect(enabled.isEnabled && enabled.failingSince == nil)
            // The server pauses after failures in a row, for a minute at most.
            shop.clock.advance(seconds: 60)
            try await sender.run(id, publishing: shop.feed)
            let recorded = try await shop.events().filter { $0.type == .purchaseRecorded }
            // A message that fails for three days is a dead letter before the endpoint is disabled after five days.
            let letters = try await shop.webhooks.deadLetters(of: id, after: nil).deadLetters.map(\.message)
            #expect((receiver.messages + letters).sorted() == recorded.map(\.id).sorted())
            #expect(letters.count == (seconds == 0 ? 0 : 1))
        }
    }

    @Test func `a slow message about one customer does not delay the messages about others`() async throws {
        try await Shop.open { shop async throws in
            let (opened, open) = AsyncStream<Void>.makeStream()
            let slow = SlowReceiver(customer: Shop.customer, opened: opened)
            let sender = try shop.sender(slow)
            let id = try await shop.createWebhook(["purchase.recorded"])
            try await shop.sell(1)
            async let first: Void = sender.run(id, publishing: shop.feed)
            try await eventually { slow.count(of: Shop.customer) == 1 }
            try await shop.sell(2, to: Self.other)
            // The background service sends again after the next event, while the first message is open.
            async let second: Void = sender.run(id, publishing: shop.feed)
            try await eventually { slow.count(of: Self.other) == 1 }
            open.finish()
            _ = try await (first, second)
            #expect(slow.count(of: Shop.customer) == 1)
        }
    }

    @Test func `the messages that a killed server has claimed are sent by another server after the end of the claim`() async throws {
        try await Shop.open { shop async throws in
            let receiver = FakeReceiver()
            let sender = try shop.sender(receiver)
            let id = try await shop.createWebhook(["purchase.recorded"])
            try await shop.sell(1)
            try await shop.feed.publish()
            try await sender.enqueue(to: id)
            let now = shop.clock.now
            let claimed = try await shop.server.storage.write(.test) { records in
                try records.claimWebhookLanes(
                    of: id, dueAt: now, until: now.adding(seconds: WebhookSender.claimSeconds), claim: "killed", limit: 9)
            }
            #expect(claimed.count == 1)
            try await sender.send(to: id)
            #expect(receiver.messages.isEmpty)
            shop.clock.advance(seconds: WebhookSender.claimSeconds)
            try await sender.send(to: id)
            #expect(receiver.messages.count == 1)
        }
    }

    @Test func `a server whose claim has ended does not change the lane of the server that claimed it since`() async throws {
        try await Shop.open { shop async throws in
            let id = try await shop.createWebhook(["purchase.recorded"])
            let storage = shop.server.storage
            let receiver = FakeReceiver()
            let sender = try shop.sender(receiver)
            try await shop.sell(1)
            try await shop.feed.publish()
            try await sender.enqueue(to: id)
            let stalled = StalledReceiver(storage: storage, endpoint: id, until: shop.clock.now.adding(seconds: 1_000))
            try await shop.sender(stalled).send(to: id)
            let lane = try await shop.storageOfServer { try $0.webhookLanes(of: id, dueAfter: nil, limit: 9) }
            #expect(lane.map(\.claim) == ["other"])
            let waiting = try await shop.storageOfServer { try $0.webhookDeliveries(to: id, in: Shop.customer.rawValue, limit: 9) }
            #expect(waiting.map(\.attempts) == [0])
        }
    }

    @Test func `an event that retention has removed becomes a dead letter, and the position skips removed events`() async throws {
        try await Shop.open { shop async throws in
            let receiver = FakeReceiver()
            let sender = try shop.sender(receiver)
            let id = try await shop.createWebhook()
            try await shop.sell(1)
            try await shop.feed.publish()
            try await sender.enqueue(to: id)
            try await shop.sell(2, to: Self.other)
            try await shop.feed.publish()
            shop.clock.advance(seconds: 91 * 86_400)
            try await shop.feed.removeExpired()
            try await sender.run(id, publishing: shop.feed)
            #expect(receiver.messages.isEmpty)
            #expect(try await shop.webhooks.deadLetters(of: id, after: nil).deadLetters.map(\.attempts) == [1, 1])
            #expect(try await sender.work() == [WebhookSender.Work(endpoint: id, hasEvents: false, isDue: false)])
        }
    }

    @Test func `events since a date, of a customer, are sent again with their identifiers`() async throws {
        try await Shop.open { shop async throws in
            let receiver = FakeReceiver()
            let sender = try shop.sender(receiver)
            let id = try await shop.createWebhook()
            try await shop.sell(1)
            shop.clock.advance(seconds: 10_000)
            let since = shop.clock.now
            try await shop.sell(2, to: Self.other)
            try await shop.sell(3)
            try await sender.run(id, publishing: shop.feed)
            let first = receiver.take().filter { $0.customer == Shop.customer }.map(\.message)
            shop.clock.advance(seconds: 10)
            let reply = try await shop.webhooks.resend(
                to: id, ResendWebhooksRequest(from: since, until: shop.clock.now, customer: Shop.customer))
            #expect(reply == ResendWebhooksReply(enqueued: 1, nextCursor: nil))
            // A second request adds nothing, because the messages wait.
            _ = try await shop.webhooks.resend(to: id, ResendWebhooksRequest(from: since))
            try await sender.run(id, publishing: shop.feed)
            let again = receiver.take().filter { $0.customer == Shop.customer }.map(\.message)
            #expect(again == first.suffix(1))
        }
    }
}

/// A receiver that answers messages about one customer when a test permits it.
private final class SlowReceiver: WebhookTransport {
    private let customer: CustomerID
    private let opened: AsyncStream<Void>
    private let received = Mutex<[CustomerID?]>([])

    init(customer: CustomerID, opened: AsyncStream<Void>) {
        (self.customer, self.opened) = (customer, opened)
    }

    func count(of customer: CustomerID) -> Int { received.withLock { $0.count { $0 == customer } } }

    func post(_ request: WebhookRequest, within timeout: Duration) async throws(CancellationError) -> WebhookResponse {
        received.withLock { $0.append(request.customer) }
        if request.customer == customer { _ = await opened.first { true } }
        return .status(200)
    }
}

/// A receiver during whose answer the claim of the lane ends, and another server claims the lane.
private struct StalledReceiver: WebhookTransport {
    let storage: any PurchaseStorage
    let endpoint: String
    let until: Timestamp

    func post(_ request: WebhookRequest, within timeout: Duration) async throws(CancellationError) -> WebhookResponse {
        let (endpoint, until) = (endpoint, until)
        let lane = request.customer?.rawValue ?? ""
        try? await storage.write(.test) { try $0.put(WebhookLane(endpoint: endpoint, lane: lane, dueAt: until, claim: "other")) }
        return .status(500)
    }
}

extension Shop {
    /// Reads the records of the app.
    func storageOfServer<Value: Sendable>(_ body: @escaping @Sendable (any StorageTransaction) throws -> Value) async throws -> Value {
        try await server.storage.read(.test, body)
    }
}
