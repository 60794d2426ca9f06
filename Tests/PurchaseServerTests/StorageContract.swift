import Foundation
import GRDB
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import PurchaseTestSupport
import Testing

@testable import PurchaseServer

/// Tests of the requirements for every storage.
@Suite struct StorageContract {
    enum Kind: CaseIterable {
        case memory
        case file
    }

    private let customer = Shop.customer

    private func with(_ kind: Kind, _ body: (any PurchaseStorage) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            switch kind {
            case .memory: try await body(SQLitePurchaseStorage(.memory))
            case .file: try await body(SQLitePurchaseStorage(.file(folder.file("server.sqlite").path())))
            }
        }
    }

    private func verified(_ payload: TransactionPayload) async throws -> VerifiedTransaction {
        try await TestAuthority.shared.verifier().verify(try TestAuthority.shared.signedData.sign(payload))
    }

    private func verified(_ payload: NotificationPayload) async throws -> VerifiedNotification {
        try await TestAuthority.shared.verifier().verify(try TestAuthority.shared.signedData.sign(payload))
    }

    @Test(arguments: Kind.allCases) func `a transaction grants credits once`(_ kind: Kind) async throws {
        try await with(kind) { storage async throws in
            let sale = try await verified(.creditSale)
            #expect(
                try await storage.record(sale, for: customer, credits: 5) == CreditGrant(credits: 5, balance: 5, alreadyRecorded: false)
            )
            let again = try await verified(.creditSale.with { $0.signedDate = $0.signedDate.adding(seconds: 1) })
            for replay in [sale, again] {
                #expect(
                    try await storage.record(replay, for: customer, credits: 5)
                        == CreditGrant(credits: 5, balance: 5, alreadyRecorded: true)
                )
            }
            #expect(try await storage.balance(of: customer) == 5)
        }
    }

    @Test(arguments: Kind.allCases) func `a transaction credited to one customer is not credited to another`(_ kind: Kind) async throws {
        try await with(kind) { storage async throws in
            let sale = try await verified(.creditSale)
            _ = try await storage.record(sale, for: customer, credits: 5)
            let other = CustomerID(UUID())
            #expect(try await storage.record(sale, for: other, credits: 5) == CreditGrant(credits: 0, balance: 0, alreadyRecorded: true))
        }
    }

    @Test(arguments: Kind.allCases) func `the balance is the granted credits minus the reclaimed and the spent credits`(_ kind: Kind)
        async throws
    {
        try await with(kind) { storage async throws in
            for number in 1...6 {
                let sale = TransactionPayload.creditSale.with {
                    $0.transactionId = TransactionID("10\(number)")
                    $0.originalTransactionId = $0.transactionId
                }
                _ = try await storage.record(verified(sale), for: customer, credits: 5)
                _ = try await storage.spend(4, spending: "s\(number)", by: customer)
                if number.isMultiple(of: 2) {
                    _ = try await storage.apply(verified(.about(sale.refunded(), type: "REFUND")))
                }
            }
            let sqlite = try #require(storage as? SQLitePurchaseStorage)
            let sum = try await sqlite.writer.read { db in
                try Int.fetchOne(
                    db,
                    sql: """
                        SELECT (SELECT sum(credits - reclaimed) FROM credit_grant) - (SELECT sum(amount) FROM spending)
                        """
                )
            }
            let balance = try await storage.balance(of: customer)
            #expect(sum == balance)
            #expect(balance == -1)
        }
    }

    @Test(arguments: Kind.allCases) func `a debit is made once and never exceeds the balance`(_ kind: Kind) async throws {
        try await with(kind) { storage async throws in
            #expect(try await storage.spend(1, spending: "a", by: customer) == .tooSmall(balance: 0))
            _ = try await storage.record(verified(.creditSale), for: customer, credits: 5)
            #expect(try await storage.spend(3, spending: "a", by: customer) == .spent(balance: 2))
            #expect(try await storage.spend(3, spending: "a", by: customer) == .spent(balance: 2))
            #expect(try await storage.spend(3, spending: "b", by: customer) == .tooSmall(balance: 2))
            #expect(try await storage.spend(2, spending: "a", by: customer) == .reused)
            #expect(try await storage.spend(2, spending: "c", by: customer) == .spent(balance: 0))
            #expect(try await storage.spend(3, spending: "a", by: customer) == .spent(balance: 2))
            #expect(try await storage.balance(of: customer) == 0)
        }
    }

    @Test(arguments: Kind.allCases) func `two customers may use the same idempotency key`(_ kind: Kind) async throws {
        try await with(kind) { storage async throws in
            let other = CustomerID(UUID())
            _ = try await storage.record(verified(.creditSale), for: customer, credits: 5)
            let sale = TransactionPayload.creditSale.with {
                $0.transactionId = "7"
                $0.originalTransactionId = "7"
            }
            _ = try await storage.record(verified(sale), for: other, credits: 5)
            #expect(try await storage.spend(1, spending: "a", by: customer) == .spent(balance: 4))
            #expect(try await storage.spend(2, spending: "a", by: other) == .spent(balance: 3))
        }
    }

    @Test(arguments: Kind.allCases) func `a refund can make the balance negative, and its reversal restores the credits`(_ kind: Kind)
        async throws
    {
        try await with(kind) { storage async throws in
            _ = try await storage.record(verified(.creditSale), for: customer, credits: 5)
            _ = try await storage.spend(3, spending: "a", by: customer)
            let refund = try await verified(.about(.creditSale.refunded(), type: "REFUND", uuid: "r"))
            #expect(try await storage.apply(refund) == .applied)
            #expect(try await storage.balance(of: customer) == -3)
            #expect(try await storage.apply(refund) == .known)
            let reversed = TransactionPayload.creditSale.with { $0.signedDate = $0.signedDate.adding(seconds: 200) }
            _ = try await storage.apply(verified(.about(reversed, type: "REFUND_REVERSED")))
            #expect(try await storage.balance(of: customer) == 2)
        }
    }

    @Test(arguments: Kind.allCases) func `a transaction that was refunded before it is recorded grants no credits`(_ kind: Kind)
        async throws
    {
        try await with(kind) { storage async throws in
            _ = try await storage.apply(verified(.about(.creditSale.refunded(), type: "REFUND")))
            let grant = try await storage.record(verified(.creditSale), for: customer, credits: 5)
            #expect(grant == CreditGrant(credits: 0, balance: 0, alreadyRecorded: false))
        }
    }

    @Test(arguments: Kind.allCases) func `the newest entries are first, up to the limit`(_ kind: Kind) async throws {
        try await with(kind) { storage async throws in
            for number in 1...3 {
                let sale = TransactionPayload.creditSale.with {
                    $0.transactionId = TransactionID("10\(number)")
                    $0.purchaseDate = $0.purchaseDate.adding(seconds: Int64(number))
                }
                _ = try await storage.apply(verified(.about(sale, type: "ONE_TIME_CHARGE", uuid: "n\(number)")))
            }
            #expect(try await storage.transactions(limit: 2, at: .testStart).map(\.id) == ["103", "102"])
            #expect(try await storage.notifications(limit: 2).count == 2)
            #expect(try await storage.notifications(limit: -1).isEmpty)
        }
    }

    @Test(arguments: Kind.allCases) func `the key of download tokens is created once`(_ kind: Kind) async throws {
        try await with(kind) { storage async throws in
            #expect(try await storage.ticketKey(candidate: [1, 2]) == [1, 2])
            #expect(try await storage.ticketKey(candidate: [3, 4]) == [1, 2])
        }
    }

    @Test func `a commit is durable before it returns and present after reopening`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("server.sqlite").path()
            do {
                let storage = try SQLitePurchaseStorage(.file(path))
                // 2 is FULL. GRDB's default is 1 (NORMAL), which may lose commits.
                let synchronous = try await storage.writer.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
                #expect(synchronous == 2)
                let journal = try await storage.writer.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
                #expect(journal == "wal")
                _ = try await storage.record(verified(.creditSale), for: customer, credits: 5)
            }
            #expect(try await SQLitePurchaseStorage(.file(path)).balance(of: customer) == 5)
        }
    }
}
