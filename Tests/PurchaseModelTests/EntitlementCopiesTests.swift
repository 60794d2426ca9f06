import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct EntitlementCopiesTests {
    private func fact(_ payload: TransactionPayload, revokedAt: Timestamp? = nil, source: String) -> SignedEvent {
        var payload = payload
        payload.revocationDate = revokedAt
        payload.signedDate = revokedAt ?? payload.signedDate
        return SignedEvent(transaction: payload, source: source)
    }

    @Test(arguments: [nil, Timestamp.testStart.adding(days: 28)])
    func `the refund of a purchase takes back its restored copies`(_ expires: Timestamp?) {
        let original = TransactionPayload.sample(id: "1", type: .nonConsumable, expires: expires)
        let copy = TransactionPayload.sample(
            id: "2", original: "1", type: .nonConsumable, date: Timestamp.testStart.adding(days: 2), expires: expires
        )
        let facts = [fact(original, source: "app"), fact(copy, source: "restore")]
        #expect(Entitlements.folding(facts)?.state != .revoked)
        let refund = fact(original, revokedAt: Timestamp.testStart.adding(days: 3), source: "REFUND")
        let folded = Entitlements.folding(facts + [refund])
        #expect(folded?.state == .revoked)
        #expect(folded?.decidedBy == "REFUND")
    }
}
