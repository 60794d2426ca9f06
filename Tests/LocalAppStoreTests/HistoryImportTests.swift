import GRDB
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import PurchaseTestSupport
import Testing

@testable import LocalAppStore

@Suite struct HistoryImportTests {
    @Test func `what is bought after a past gets a number that the past does not have`() async throws {
        let (past, numbers) = try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            for _ in 0..<3 { _ = try await phone.buy(.credits) }
            let signed = try await phone.unfinished().transactions.map(\.transaction)
            return (signed, try await phone.unfinishedTransactions().map(\.transactionId))
        }
        try await StoreHarness.run { harness in
            let request = HistoryRequest(account: "ada@example.com", signedTransactions: past)
            let reply = try await harness.call(ControlEndpoints.importHistory, request)
            #expect(reply.transactions == 3)
            let phone = try await harness.phone("ben@example.com")
            for _ in 0..<4 {
                let number = try await phone.buy(.credits).transactionId
                #expect(!numbers.contains(number))
            }
        }
    }

    /// The statements about a subscription after its first period, and after its second.
    private func growingPast() async throws -> (young: [SignedTransaction], grown: [SignedTransaction]) {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            _ = try await phone.buy(.magazine)
            let young = try await phone.unfinished().transactions.map(\.transaction)
            try await harness.advance(days: 32)
            return (young, try await phone.unfinished().transactions.map(\.transaction))
        }
    }

    @Test func `a past that has grown brings its new periods, and a refund of one leaves the others`() async throws {
        let past = try await growingPast()
        try await StoreHarness.run(storekit: #"{"version":{"major":4,"minor":0}}"#) { harness in
            for (signed, known) in [(past.young, 0), (past.grown, 1), (past.grown, 2)] {
                let request = HistoryRequest(account: "ada@example.com", signedTransactions: signed)
                let reply = try await harness.call(ControlEndpoints.importHistory, request)
                #expect(reply.known == known)
                #expect(reply.transactions == signed.count - known)
            }
            let first = try await harness.verifier.verify(try #require(past.young.first)).payload.transactionId
            try await harness.refund(first)
            #expect(try await revocations(in: harness) == [true, false])
            _ = try await harness.call(ControlEndpoints.reverseRefund, ReverseRefundRequest(transaction: first))
            #expect(try await revocations(in: harness) == [false, false])
        }
    }

    private func revocations(in harness: StoreHarness) async throws -> [Bool] {
        try await harness.store.ledger.read { db in
            try Bool.fetchAll(db, sql: "SELECT revokedAt IS NOT NULL FROM transactions ORDER BY period")
        }
    }

    @Test func `a past that has grown is refused where its subscription goes on`() async throws {
        let past = try await growingPast()
        try await StoreHarness.run { harness in
            let young = HistoryRequest(account: "ada@example.com", signedTransactions: past.young)
            let reply = try await harness.call(ControlEndpoints.importHistory, young)
            #expect(reply.subscriptions == 1)
            let grown = HistoryRequest(account: "ada@example.com", signedTransactions: past.grown)
            await #expect(throws: Refused(status: 400, code: "history.unusable")) {
                try await harness.call(ControlEndpoints.importHistory, grown)
            }
            #expect(try await revocations(in: harness) == [false])
        }
    }
}
