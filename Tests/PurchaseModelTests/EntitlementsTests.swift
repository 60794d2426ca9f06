import PurchaseTestSupport
import Testing

@testable import PurchaseModel

@Suite struct EntitlementsTests {
    private static let start = Timestamp.testStart
    private static let end = start.adding(days: 30)

    /// A signed event of the subscription's period number `period`, signed on `day`.
    private static func subscribed(period: Int64, day: Int64, _ renewal: RenewalInfoPayload? = nil, revoked: Bool = false) -> SignedEvent {
        var payload = TransactionPayload.sample(
            id: TransactionID("10\(period)"), original: "100", product: "magazine", type: .autoRenewable,
            date: start.adding(days: 30 * period), expires: start.adding(days: 30 * (period + 1))
        )
        payload.signedDate = start.adding(days: day)
        payload.revocationDate = revoked ? payload.signedDate : nil
        return SignedEvent(transaction: payload, renewal: renewal, source: "day \(day)")
    }

    private static func renewal(day: Int64, _ change: (inout RenewalInfoPayload) -> Void = { _ in }) -> RenewalInfoPayload {
        var renewal = RenewalInfoPayload.sample(original: "100", product: "magazine", date: start.adding(days: day))
        change(&renewal)
        return renewal
    }

    private static func owned(id: TransactionID, day: Int64, signed: Int64? = nil, revoked: Bool = false) -> SignedEvent {
        var payload = TransactionPayload.sample(
            id: id, original: "100", product: "book", type: .nonConsumable, date: start.adding(days: day)
        )
        payload.signedDate = start.adding(days: signed ?? day)
        payload.revocationDate = revoked ? payload.signedDate : nil
        return SignedEvent(transaction: payload, source: "day \(signed ?? day)")
    }

    private static let retrying = renewal(day: 30) { $0.isInBillingRetryPeriod = true }
    private static let grace = renewal(day: 30) {
        $0.isInBillingRetryPeriod = true
        $0.gracePeriodExpiresDate = start.adding(days: 46)
    }
    private static let cancelled = renewal(day: 30) { $0.expirationIntent = 1 }

    /// A signed event of a yearly period that starts first.
    private static func year(id: TransactionID = "109", bought: Int64 = 0, signed: Int64, isUpgraded: Bool? = nil, revoked: Bool = false)
        -> SignedEvent
    {
        var event = subscribed(period: 0, day: signed, revoked: revoked)
        event.transaction.transactionId = id
        event.transaction.productId = "yearly magazine"
        event.transaction.webOrderLineItemId = "900"
        event.transaction.purchaseDate = start.adding(days: bought)
        event.transaction.expiresDate = start.adding(days: 365)
        event.transaction.isUpgraded = isUpgraded
        return event
    }

    static let table: [([SignedEvent], Entitlement.State?)] = [
        ([], nil),
        ([owned(id: "100", day: 0)], .owned),
        ([owned(id: "100", day: 0), owned(id: "100", day: 0, signed: 5, revoked: true)], .revoked),
        // After a reversed refund, the transaction with the latest signed date decides.
        (
            [owned(id: "100", day: 0), owned(id: "100", day: 0, signed: 5, revoked: true), owned(id: "100", day: 0, signed: 9)],
            .owned
        ),
        // With equal signed dates, the refund decides.
        ([owned(id: "100", day: 0, signed: 5), owned(id: "100", day: 0, signed: 5, revoked: true)], .revoked),
        // A restored transaction is revoked with the original transaction.
        ([owned(id: "100", day: 0), owned(id: "101", day: 3)], .owned),
        ([owned(id: "101", day: 3), owned(id: "100", day: 0, signed: 5, revoked: true)], .revoked),
        ([owned(id: "101", day: 7), owned(id: "100", day: 0, signed: 5, revoked: true)], .revoked),
        // The reversal of the refund reinstates the restored transaction, too, although its newest version is revoked.
        (
            [
                owned(id: "100", day: 0, signed: 5, revoked: true), owned(id: "101", day: 3, signed: 7, revoked: true),
                owned(id: "100", day: 0, signed: 9),
            ], .owned
        ),
        (
            [
                owned(id: "100", day: 0, signed: 5, revoked: true), owned(id: "100", day: 0, signed: 9),
                owned(id: "101", day: 3, signed: 11, revoked: true),
            ], .revoked
        ),
        ([subscribed(period: 0, day: 0)], .active(until: end)),
        ([subscribed(period: 0, day: 0, renewal(day: 0))], .active(until: end)),
        ([subscribed(period: 0, day: 0, renewal(day: 3) { $0.autoRenewStatus = 0 })], .active(until: end)),
        ([subscribed(period: 0, day: 0), subscribed(period: 1, day: 30)], .active(until: start.adding(days: 60))),
        ([subscribed(period: 0, day: 30, retrying)], .billingRetry),
        ([subscribed(period: 0, day: 30, grace)], .gracePeriod(until: start.adding(days: 46))),
        ([subscribed(period: 0, day: 30, cancelled)], .expired),
        // After recovery, the renewal info of the earlier period has no effect.
        ([subscribed(period: 0, day: 30, grace), subscribed(period: 1, day: 33)], .active(until: start.adding(days: 60))),
        // A refund of the latest period revokes the subscription; a refund of an earlier period does not.
        ([subscribed(period: 0, day: 0), subscribed(period: 1, day: 31, revoked: true)], .revoked),
        ([subscribed(period: 0, day: 31, revoked: true), subscribed(period: 1, day: 30)], .active(until: start.adding(days: 60))),
        // The period that starts last decides, even if an earlier one would end later: after an upgrade, and after a refund.
        ([year(signed: 0), subscribed(period: 1, day: 30)], .active(until: start.adding(days: 60))),
        ([year(signed: 20, revoked: true), subscribed(period: 1, day: 30)], .active(until: start.adding(days: 60))),
        ([year(signed: 20, revoked: true)], .revoked),
        // A restored transaction of a replaced period is later than the upgrade, and a restored transaction of a period can be its only one.
        (
            [year(id: "110", bought: 40, signed: 40, isUpgraded: true), subscribed(period: 1, day: 30)],
            .active(until: start.adding(days: 60))
        ),
        ([year(id: "110", bought: 40, signed: 40)], .active(until: start.adding(days: 365))),
        (
            [year(signed: 0), year(id: "110", bought: 40, signed: 40), subscribed(period: 1, day: 30)],
            .active(until: start.adding(days: 60))
        ),
    ]

    @Test(arguments: table)
    func `signed events project to an entitlement state`(_ events: [SignedEvent], _ state: Entitlement.State?) {
        #expect(EntitlementProjection.timeline(events)?.latest.state == state)
    }

    @Test(arguments: table)
    func `the order and repetition of signed events do not change the entitlement`(_ events: [SignedEvent], _ state: Entitlement.State?) {
        let expected = EntitlementProjection.timeline(events)?.latest
        for offset in events.indices {
            let rotated = Array(events[offset...] + events[..<offset])
            #expect(EntitlementProjection.timeline(rotated)?.latest == expected)
            #expect(EntitlementProjection.timeline(rotated.reversed() + rotated)?.latest == expected)
        }
    }

    @Test func `an entitlement at a past date follows from what had happened by then`() {
        let events = [
            Self.subscribed(period: 0, day: 100), Self.subscribed(period: 1, day: 100),
            Self.owned(id: "200", day: 50, signed: 70, revoked: true),
        ]
        let subscription = Array(events[..<2])
        func state(_ events: [SignedEvent], _ day: Int64) -> Entitlement.State? {
            EntitlementProjection.project(events, at: Self.start.adding(days: day))?.state
        }
        // The store signs a transaction again each time it is fetched, so the purchase date counts, not the signature date.
        #expect(state(subscription, -1) == nil)
        #expect(state(subscription, 10) == .active(until: Self.end))
        #expect(state(subscription, 30) == .active(until: Self.start.adding(days: 60)))
        #expect(state([events[2]], 69) == .owned)
        #expect(state([events[2]], 70) == .revoked)
        let retried = [Self.subscribed(period: 0, day: 30, Self.retrying)]
        #expect(state(retried, 29) == .active(until: Self.end))
        #expect(state(retried, 30) == .billingRetry)
    }

    @Test(arguments: [
        (Entitlement.State.owned, 1000, true, Access.State.owned),
        (.active(until: end), 29, true, .active),
        (.active(until: end), 30, false, .expired),
        (.gracePeriod(until: end), 29, true, .gracePeriod),
        (.gracePeriod(until: end), 30, false, .billingRetry),
        (.billingRetry, 1, false, .billingRetry),
        (.expired, 1, false, .expired),
        (.revoked, 1, false, .revoked),
    ])
    func `an entitlement state grants or denies access at a date`(
        _ state: Entitlement.State, _ day: Int64, _ granted: Bool, _ accessState: Access.State
    ) {
        let entitlement = Entitlement(
            originalTransactionID: "100", productID: "book", state: state, source: "DID_RENEW", signedDate: Self.start,
            transactionID: "100", purchaseDate: Self.start, productType: .nonConsumable, ownership: .purchased, environment: "Sandbox"
        )
        let access = entitlement.access(at: Self.start.adding(days: day))
        #expect(access.isGranted == granted)
        #expect(access.state == accessState)
        #expect(access.reason == "DID_RENEW, signed 2025-01-31T12:34:56Z")
    }
}
