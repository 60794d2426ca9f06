import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@testable import PurchaseKit

@Suite struct EntitlementBookTests {
    @Test func `a plan that was charged ahead begins when the paid plan ends`() async throws {
        let authority = TestAuthority.shared
        let (start, change) = (Timestamp.testStart, Timestamp.testStart.adding(days: 30))
        var paid = TransactionPayload.sample(id: "200", product: "y", type: .autoRenewable, date: start, expires: change)
        paid.transactionReason = TransactionReason.purchase.rawValue
        var lower = TransactionPayload.sample(
            id: "201", original: "200", product: "m", type: .autoRenewable, date: change, expires: change.adding(days: 30))
        (lower.signedDate, lower.transactionReason) = (change.adding(seconds: -3_600), TransactionReason.renewal.rawValue)
        var entries: [VaultEntry] = []
        for payload in [lower, paid] {
            let verified = try await authority.verifier().verify(authority.signedData.sign(payload))
            entries.append(.proof(try StoredProof(VerifiedProof(transaction: verified))))
        }
        let contents = VaultContents(entries, refundPolicy: .debt)
        let book = EntitlementBook(fulfillments: [:], durations: [:], customer: nil)
        func active(at date: Timestamp) -> [EntitlementName] {
            book.entitlements(in: contents, lease: nil, at: date).states.values.filter(\.isActive).map(\.name)
        }
        #expect(active(at: lower.signedDate) == ["y"] && active(at: change.adding(milliseconds: -1)) == ["y"])
        // The app computes the state again when the plan changes.
        #expect(book.entitlements(in: contents, lease: nil, at: lower.signedDate).nextChange == change)
        #expect(active(at: change) == ["m"] && active(at: change.adding(days: 30)).isEmpty)
    }
}
