import Foundation
import ProcessTestSupport
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import PurchaseTestSupport
import Testing
import WireClient

@testable import PurchaseServer

/// One payment adds its credits once, whatever is posted about it, and a refund takes them back.
@Suite struct CreditTests {
    private static let authority = TestAuthority.shared

    @Test func `credits follow what was charged and not refunded, whatever is posted`() async throws {
        try await RunningServer.with(products: CreditStory.products) { server async throws in
            for (number, story) in CreditStory.all.enumerated() {
                let (customer, events) = story.own(number + 1)
                // Twice: a repeat changes nothing.
                for (turn, event) in (events + events).enumerated() {
                    try await Self.send(event, "\(number)-\(turn % events.count)", to: server.wire)
                }
                let balance = try await Self.balance(of: customer, at: server.wire)
                #expect(balance == story.balance, "\(story.name)")
            }
        }
    }

    @Test func `in whatever order and however often events come, the balance is the same`() async throws {
        let verifier = try Self.authority.verifier()
        let catalog: [ProductID: Int] = ["seeds": 5, "book": 100, "magazine": 100, "season": 50]
        for (number, story) in CreditStory.all.enumerated() {
            let (customer, events) = story.own(number + 1)
            var steps: [@Sendable (SQLitePurchaseStorage) async throws -> Void] = []
            for (turn, event) in events.enumerated() {
                switch event {
                case .posts(let payload):
                    let transaction = try await verifier.verify(try Self.authority.signedData.sign(payload))
                    let credits = (catalog[payload.productId] ?? 0) * payload.quantity
                    steps.append { _ = try await $0.record(transaction, for: customer, credits: credits) }
                case .notifies(let type, let payload):
                    let signed = try Self.authority.signedData.sign(try Self.notification(type, payload, "n\(turn)"))
                    let notification = try await verifier.verify(signed)
                    steps.append { _ = try await $0.apply(notification) }
                }
            }
            for seed in 0..<UInt64(8) {
                var random = SeededRandom(seed: seed)
                let storage = try SQLitePurchaseStorage(.memory)
                for step in (steps + steps).shuffled(using: &random) { try await step(storage) }
                #expect(try await storage.balance(of: customer) == story.balance, "\(story.name), seed \(seed)")
            }
        }
    }

    @Test func `the same purchase posted for another customer adds nothing`() async throws {
        try await RunningServer.with(products: CreditStory.products) { server async throws in
            let thief = CustomerID(UUID())
            for (number, story) in CreditStory.all.enumerated() where story.balance > 0 {
                let (customer, events) = story.own(number + 1)
                for (turn, event) in events.enumerated() { try await Self.send(event, "\(number)-\(turn)", to: server.wire) }
                for case .posts(let payload) in events {
                    let signed = try Self.authority.signedData.sign(payload.with { $0.appAccountToken = thief })
                    let reply = try await server.wire.call(
                        ServerEndpoints.transactions, RecordTransactionRequest(signedTransaction: signed))
                    #expect(reply.credits == 0 && reply.balance == 0, "\(story.name)")
                }
                #expect(try await Self.balance(of: customer, at: server.wire) == story.balance, "\(story.name)")
            }
            #expect(try await Self.balance(of: thief, at: server.wire) == 0)
        }
    }

    @Test func `what was spent before a refund is owed, and nothing is spent until it is paid`() async throws {
        try await RunningServer.with(products: CreditStory.products) { server async throws in
            let story = CreditStory("", 0, .posts(.sample(id: "1", product: "book", type: .nonConsumable)))
            let (customer, events) = story.own(1)
            guard case .posts(let book) = events.first else { return }
            try await Self.send(.posts(book), "", to: server.wire)
            #expect(try await Self.spend(70, "a", customer, at: server.wire) == 30)
            let refunded = book.with {
                $0.revocationDate = $0.purchaseDate.adding(seconds: 10)
                $0.signedDate = $0.purchaseDate.adding(seconds: 10)
            }
            try await Self.send(.notifies("REFUND", refunded), "r", to: server.wire)
            #expect(try await Self.balance(of: customer, at: server.wire) == -70)

            // A repeat of what was spent answers as it did; anything new is refused with the debt.
            #expect(try await Self.spend(70, "a", customer, at: server.wire) == 30)
            let refusal = await #expect(throws: WireClientError.self) { try await Self.spend(1, "b", customer, at: server.wire) }
            guard case .refused(409, let error) = refusal else {
                Issue.record("\(String(describing: refusal))")
                return
            }
            #expect(error.code == "balance.too-small")
            #expect(error.message.contains("-70 credits"))

            let seeds = book.with {
                $0.transactionId = "77"
                $0.originalTransactionId = "77"
                $0.productId = "seeds"
                $0.type = ProductType.consumable.rawValue
            }
            try await Self.send(.posts(seeds), "", to: server.wire)
            #expect(try await Self.balance(of: customer, at: server.wire) == -65)
            let reversed = book.with { $0.signedDate = $0.purchaseDate.adding(seconds: 20) }
            try await Self.send(.notifies("REFUND_REVERSED", reversed), "v", to: server.wire)
            #expect(try await Self.balance(of: customer, at: server.wire) == 35)
            #expect(try await Self.spend(35, "c", customer, at: server.wire) == 0)
        }
    }

    // MARK: - Calls

    private static func notification(_ type: String, _ payload: TransactionPayload, _ uuid: String) throws -> NotificationPayload {
        .sample(type: type, uuid: uuid, transaction: try authority.signedData.sign(payload), date: payload.signedDate)
    }

    private static func send(_ event: CreditStory.Event, _ uuid: String, to wire: WireClient) async throws {
        switch event {
        case .posts(let payload):
            let request = RecordTransactionRequest(signedTransaction: try authority.signedData.sign(payload))
            _ = try await wire.call(ServerEndpoints.transactions, request)
        case .notifies(let type, let payload):
            let signed = try authority.signedData.sign(try notification(type, payload, uuid))
            _ = try await wire.call(ServerEndpoints.notifications, NotificationRequest(signedPayload: signed))
        }
    }

    private static func balance(of customer: CustomerID, at wire: WireClient) async throws -> Int {
        try await wire.call(ServerEndpoints.balance, Empty(), parameters: ["customer": customer.rawValue]).balance
    }

    private static func spend(_ amount: Int, _ name: String, _ customer: CustomerID, at wire: WireClient) async throws -> Int {
        let request = SpendRequest(spending: name, amount: amount)
        return try await wire.call(ServerEndpoints.spend, request, parameters: ["customer": customer.rawValue]).balance
    }
}
