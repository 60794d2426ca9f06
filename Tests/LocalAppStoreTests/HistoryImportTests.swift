import PurchaseIssuing
import PurchaseModel
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
}
