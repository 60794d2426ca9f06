import Foundation
import GRDB
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreTestSupport
import Testing

@testable import LocalAppStore

/// Tests with an account that has 10,000 transactions.
@Suite struct LongHistoryTests {
    private static let count = 10_000

    /// Copies a transaction until its account has 10,000 of them.
    private func insertCopies(_ id: TransactionID, in harness: StoreHarness) async throws {
        try await harness.store.context.transaction { db, _ in
            guard var row = try TransactionRecord.find(id, db) else { throw StoreError.transactionUnknown }
            for _ in 1..<Self.count {
                row.id = TransactionID(try StoreCounter.transaction.next(db))
                row.originalID = row.id
                row.payment = nil
                row.change = try StoreCounter.change.nextNumber(db)
                try row.insert(db)
            }
        }
    }

    @Test func `a receipt lists 10,000 transactions, and verifyReceipt verifies it`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            try await insertCopies(try await phone.buy(.credits).transactionId, in: harness)
            let receipt = try await phone.receipt()
            #expect(receipt.base64EncodedString().utf8.count > 4 << 20)
            let answer = try await harness.verifyReceipt(receipt)
            #expect(answer.status == .valid)
            #expect(Set(answer.receipt?.inApp.map(\.transactionID) ?? []).count == Self.count)
        }
    }

    @Test func `the transactions of a receipt are read through an index that contains no others`() async throws {
        try await StoreHarness.run { harness in
            let plan = try await harness.store.context.read { db in
                try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(ReceiptService.receiptSQL)", arguments: ["ada@example.com", "com.example"])
                    .map { $0["detail"] as String }
            }
            #expect(plan == ["SEARCH transactions USING INDEX transactions_receipt (account=? AND bundleID=?)"])
        }
    }

    @Test func `the unfinished transactions are read and sorted through an index that contains no others`() async throws {
        try await StoreHarness.run { harness in
            let plan = try await harness.store.context.read { db in
                let arguments: StatementArguments = ["ada@example.com", "device", 0, "com.example", 0, 10]
                return try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(TransactionService.unfinishedSQL)", arguments: arguments)
                    .map { $0["detail"] as String }
            }
            #expect(plan == ["SEARCH transactions USING INDEX transactions_unfinished (account=? AND bundleID=? AND rowid>?)"])
        }
    }

    @Test func `transaction history pages through 10,000 transactions, ascending or descending`() async throws {
        try await StoreHarness.run { harness in
            let first = try await harness.signIn().buy(.credits).transactionId
            try await insertCopies(first, in: harness)
            var ids: [TransactionID] = []
            var revision = ""
            for _ in 0..<3 {
                let query = revision.isEmpty ? "" : "revision=\(revision)"
                let page = try await harness.api(.transactionHistory, first.rawValue, query: query, HistoryResponse.self)
                #expect(page.hasMore)
                for signed in page.signedTransactions { ids.append(try await harness.verifier.verify(signed).payload.transactionId) }
                revision = page.revision
            }
            #expect(ids == (0..<60).map { TransactionID(String((Int64(first.rawValue) ?? 0) + $0)) })
            let last = try await harness.api(.transactionHistory, first.rawValue, query: "sort=DESCENDING", HistoryResponse.self)
            let newest = try await harness.verifier.verify(try #require(last.signedTransactions.first)).payload.transactionId
            #expect(newest.rawValue == String((Int64(first.rawValue) ?? 0) + Int64(Self.count) - 1))
        }
    }
}
