import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct EntitlementCopiesTests {
    private func event(_ payload: TransactionPayload, revokedAt: Timestamp? = nil, source: String) -> SignedEvent {
        var payload = payload
        payload.revocationDate = revokedAt
        payload.signedDate = revokedAt ?? payload.signedDate
        return SignedEvent(transaction: payload, source: source)
    }

    @Test(arguments: [nil, Timestamp.testStart.adding(days: 28)])
    func `the refund of a purchase revokes its restored transactions`(_ expires: Timestamp?) {
        let original = TransactionPayload.sample(id: "1", type: .nonConsumable, expires: expires)
        let restored = TransactionPayload.sample(
            id: "2", original: "1", type: .nonConsumable, date: Timestamp.testStart.adding(days: 2), expires: expires
        )
        let events = [event(original, source: "app"), event(restored, source: "restore")]
        #expect(EntitlementProjection.timeline(events)?.latest.state != .revoked)
        let refund = event(original, revokedAt: Timestamp.testStart.adding(days: 3), source: "REFUND")
        let entitlement = EntitlementProjection.timeline(events + [refund])?.latest
        #expect(entitlement?.state == .revoked)
        #expect(entitlement?.source == "REFUND")
    }
}
