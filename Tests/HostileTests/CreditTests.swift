import Foundation
import FoundationExtras
import ProcessTestSupport
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire
import WireClient

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests that a payment adds its credits once and that a refund removes them.
@Suite struct CreditTests {
    private static let authority = TestAuthority.shared

    @Test func `the balance counts only charged purchases that are not refunded`() async throws {
        try await RunningServer.with(products: CreditScenario.products) { server async throws in
            for (number, scenario) in CreditScenario.all.enumerated() {
                let (customer, events) = scenario.withUniqueIDs(number + 1)
                // Each event is sent twice, because a repeated event changes nothing.
                for (turn, event) in (events + events).enumerated() {
                    try await Self.send(event, "\(number)-\(turn % events.count)", to: server.backend)
                }
                let balance = try await Self.balance(of: customer, at: server.backend)
                #expect(balance == scenario.balance, "\(scenario.name)")
            }
        }
    }

    @Test func `the balance does not depend on the order or the repetition of events`() async throws {
        let verifier = try Self.authority.verifier()
        let catalog = ProductCatalog(try WireJSON.decode([ServerProduct].self, from: Data(CreditScenario.products.utf8)))
        let recorder = PurchaseRecorder(catalog: catalog, refundPolicy: .debt, transfers: TransferRules(), clock: SystemWallClock())
        for (number, scenario) in CreditScenario.all.enumerated() {
            let (customer, events) = scenario.withUniqueIDs(number + 1)
            var steps: [VerifiedEvent] = []
            for (turn, event) in events.enumerated() {
                switch event {
                case .appPosts(let payload):
                    let transaction = try await verifier.verify(try Self.authority.signedData.sign(payload))
                    steps.append(try #require(VerifiedEvent(transaction, source: "app")))
                case .storeNotifies(let type, let payload):
                    let signed = try Self.authority.signedData.sign(try Self.notification(type, payload, "n\(turn)"))
                    let notification = try await verifier.verify(signed)
                    if let transaction = notification.transaction {
                        steps.append(try #require(VerifiedEvent(transaction, notification.renewalInfo, source: type)))
                    }
                }
            }
            for seed in 0..<UInt64(8) {
                var random = SeededRandom(seed: seed)
                let storage = try SQLitePurchaseStorage(.memory)
                for event in (steps + steps).shuffled(using: &random) {
                    _ = try await storage.write(.test) { try recorder.record(event, in: $0) }
                }
                let balance = try await storage.read(.test) { try $0.balance(of: customer, in: .credits).amount }
                #expect(balance == scenario.balance, "\(scenario.name), seed \(seed)")
            }
        }
    }

    @Test func `the same purchase posted for another customer adds nothing`() async throws {
        try await RunningServer.with(products: CreditScenario.products) { server async throws in
            let otherCustomer = CustomerID(UUID())
            for (number, scenario) in CreditScenario.all.enumerated() where scenario.balance > 0 {
                let (customer, events) = scenario.withUniqueIDs(number + 1)
                for (turn, event) in events.enumerated() { try await Self.send(event, "\(number)-\(turn)", to: server.backend) }
                for case .appPosts(let payload) in events {
                    let signed = try Self.authority.signedData.sign(payload.with { $0.appAccountToken = otherCustomer })
                    #expect(try await server.backend.submit(signed, for: otherCustomer).credits == 0, "\(scenario.name)")
                }
                #expect(try await Self.balance(of: customer, at: server.backend) == scenario.balance, "\(scenario.name)")
            }
            #expect(try await Self.balance(of: otherCustomer, at: server.backend) == 0)
        }
    }

    @Test func `a refund of spent credits makes the balance negative, and debits are refused until it is positive`() async throws {
        try await RunningServer.with(products: CreditScenario.products) { server async throws in
            let scenario = CreditScenario("", 0, .appPosts(.sample(id: "1", product: "book", type: .nonConsumable)))
            let (customer, events) = scenario.withUniqueIDs(1)
            guard case .appPosts(let book) = events.first else { return }
            try await Self.send(.appPosts(book), "", to: server.backend)
            #expect(try await Self.spend(70, "a", customer, at: server.backend) == 30)
            let refunded = book.with {
                $0.revocationDate = $0.purchaseDate.adding(seconds: 10)
                $0.signedDate = $0.purchaseDate.adding(seconds: 10)
            }
            try await Self.send(.storeNotifies("REFUND", refunded), "r", to: server.backend)
            #expect(try await Self.balance(of: customer, at: server.backend) == -70)

            // A repeated debit returns the earlier balance; a new debit is refused with the negative balance.
            #expect(try await Self.spend(70, "a", customer, at: server.backend) == 30)
            let refusal = await #expect(throws: WireClientError.self) { try await Self.spend(1, "b", customer, at: server.backend) }
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
            try await Self.send(.appPosts(seeds), "", to: server.backend)
            #expect(try await Self.balance(of: customer, at: server.backend) == -65)
            let reversed = book.with { $0.signedDate = $0.purchaseDate.adding(seconds: 20) }
            try await Self.send(.storeNotifies("REFUND_REVERSED", reversed), "v", to: server.backend)
            #expect(try await Self.balance(of: customer, at: server.backend) == 35)
            #expect(try await Self.spend(35, "c", customer, at: server.backend) == 0)
        }
    }

    // MARK: - Calls

    private static func notification(_ type: String, _ payload: TransactionPayload, _ uuid: String) throws -> NotificationPayload {
        .sample(type: type, uuid: uuid, transaction: try authority.signedData.sign(payload), date: payload.signedDate)
    }

    private static func send(_ event: CreditScenario.Event, _ uuid: String, to backend: ServerBackend) async throws {
        switch event {
        case .appPosts(let payload):
            try await backend.submit(try authority.signedData.sign(payload))
        case .storeNotifies(let type, let payload):
            let signed = try authority.signedData.sign(try notification(type, payload, uuid))
            _ = try await backend.call(ServerEndpoints.notifications, NotificationRequest(signedPayload: signed))
        }
    }

    private static func balance(of customer: CustomerID, at backend: ServerBackend) async throws -> Int64 {
        try await backend.balance(of: customer)
    }

    private static func spend(_ amount: Int64, _ name: String, _ customer: CustomerID, at backend: ServerBackend) async throws -> Int64 {
        try await backend.debit(amount, key: name, from: customer)
    }
}
