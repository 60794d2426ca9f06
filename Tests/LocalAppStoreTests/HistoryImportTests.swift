import GRDB
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import PurchaseTestSupport
import StoreTestSupport
import Testing

@testable import LocalAppStore

@Suite struct HistoryImportTests {
    @Test func `a purchase after an import gets a transaction ID that is not in the imported history`() async throws {
        let (history, numbers) = try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            for _ in 0..<3 { _ = try await phone.buy(.credits) }
            let signed = try await phone.unfinished().transactions.map(\.signedTransaction)
            return (signed, try await phone.unfinishedTransactions().map(\.transactionId))
        }
        try await StoreHarness.run { harness in
            let request = ImportHistoryRequest(account: "ada@example.com", signedTransactions: history)
            let reply = try await harness.call(ControlEndpoints.importHistory, request)
            #expect(reply.importedCount == 3)
            let phone = try await harness.signIn("ben@example.com")
            for _ in 0..<4 {
                let number = try await phone.buy(.credits).transactionId
                #expect(!numbers.contains(number))
            }
        }
    }

    /// The signed transactions of a subscription after its first period and after its second period.
    private func growingHistory() async throws -> (earlier: [SignedTransaction], later: [SignedTransaction]) {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            _ = try await phone.buy(.magazine)
            let earlier = try await phone.unfinished().transactions.map(\.signedTransaction)
            try await harness.advance(days: 32)
            return (earlier, try await phone.unfinished().transactions.map(\.signedTransaction))
        }
    }

    @Test func `importing a longer history adds its new periods, and a refund of one leaves the others`() async throws {
        let history = try await growingHistory()
        try await StoreHarness.run(storekit: #"{"version":{"major":4,"minor":0}}"#) { harness in
            for (signed, known) in [(history.earlier, 0), (history.later, 1), (history.later, 2)] {
                let request = ImportHistoryRequest(account: "ada@example.com", signedTransactions: signed)
                let reply = try await harness.call(ControlEndpoints.importHistory, request)
                #expect(reply.existingCount == known)
                #expect(reply.importedCount == signed.count - known)
            }
            let first = try await harness.verifier.verify(try #require(history.earlier.first)).payload.transactionId
            try await harness.refund(first)
            #expect(try await revocations(in: harness) == [true, false])
            _ = try await harness.call(ControlEndpoints.reverseRefund, ReverseRefundRequest(transactionID: first))
            #expect(try await revocations(in: harness) == [false, false])
        }
    }

    private func revocations(in harness: StoreHarness) async throws -> [Bool] {
        try await harness.store.context.read { db in
            try Bool.fetchAll(db, sql: "SELECT revokedAt IS NOT NULL FROM transactions ORDER BY period")
        }
    }

    @Test func `importing a longer history is refused if the store already renews its subscription`() async throws {
        let history = try await growingHistory()
        try await StoreHarness.run { harness in
            let earlier = ImportHistoryRequest(account: "ada@example.com", signedTransactions: history.earlier)
            let reply = try await harness.call(ControlEndpoints.importHistory, earlier)
            #expect(reply.subscriptionCount == 1)
            let later = ImportHistoryRequest(account: "ada@example.com", signedTransactions: history.later)
            await #expect(throws: Refused(status: 400, code: "history.invalid")) {
                try await harness.call(ControlEndpoints.importHistory, later)
            }
            #expect(try await revocations(in: harness) == [false])
        }
    }
}
