import PurchaseModel
import PurchaseTestSupport
import Testing

/// Tests of subscriptions that move into a bundle and leave it.
@Suite struct SubscriptionBundleTests {
    private static let bundle = SubscriptionBundle(productID: "all", groupID: "9", originalTransactionID: "900")
    private static let later = Sample.start.adding(days: 5)

    /// A subscription that moved into the bundle five days after its start.
    private static func bundled(_ prepare: (inout Subscription) throws -> Void = { _ in }) throws -> Subscription {
        var subscription = try Sample.subscription()
        try prepare(&subscription)
        #expect(!subscription.handle(.bundled(bundle), at: later).isEmpty)
        return subscription
    }

    @Test func `the move revokes the running period and starts the bundle's first one`() throws {
        var subscription = try Sample.subscription()
        let actions = subscription.handle(.bundled(Self.bundle), at: Self.later)
        #expect(actions.summary == "revokeForBundle charge DID_CHANGE_RENEWAL_PREF/UPGRADE")
        #expect(subscription.period.bundle == Self.bundle && subscription.period.number == 2)
        #expect(subscription.handle(.bundled(Self.bundle), at: Self.later).isEmpty)
        subscription.processDue()
        #expect(subscription.period.bundle == Self.bundle && subscription.period.number == 3)
    }

    @Test func `a canceled subscription that joins a bundle renews again`() throws {
        let subscription = try Self.bundled { _ = $0.handle(.autoRenew(false), at: Self.later) }
        #expect(subscription.autoRenews)
    }

    @Test func `a price increase survives the move`() throws {
        let increase = SubscriptionEvent.priceChanged(of: "silver", to: Sample.money(12_990), requiresConsent: false)
        var subscription = try Self.bundled { _ = $0.handle(increase, at: Self.later) }
        #expect(subscription.periodPrice == 9_990)
        subscription.processDue()
        #expect(subscription.periodPrice == 12_990 && subscription.period.bundle == Self.bundle)
    }

    @Test(arguments: [SubscriptionEvent.renewalForced(), .renewalForced(hasValidPaymentMethod: false)])
    func `a subscription that expires with its bundle is never charged again`(_ event: SubscriptionEvent) throws {
        var subscription = try Self.bundled()
        _ = subscription.handle(.unbundled(.expires), at: Self.later)
        #expect(!subscription.willAutoRenew && !subscription.canChargeAhead(at: subscription.paidUntil.adding(seconds: -60)))
        let actions = subscription.handle(event, at: Self.later)
        #expect(subscription.state == .expired(.unbundled) && actions.charges.isEmpty)
    }

    @Test func `enabling auto-renew keeps the subscription in its bundle`() throws {
        var subscription = try Self.bundled()
        _ = subscription.handle(.unbundled(.expires), at: Self.later)
        #expect(subscription.handle(.autoRenew(true), at: Self.later).summary == "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED")
        subscription.processDue()
        #expect(subscription.period.bundle == Self.bundle && subscription.willAutoRenew)
    }

    @Test func `an upgrade and a new subscription are stand-alone`() throws {
        var upgraded = try Self.bundled()
        _ = upgraded.handle(.purchase(SubscriptionPurchase(try Sample.gold())), at: Self.later)
        #expect(upgraded.period.bundle == nil && !upgraded.isPendingUnbundle)
        var ended = try Self.bundled()
        _ = ended.handle(.expiryForced, at: Self.later)
        _ = ended.handle(.purchase(SubscriptionPurchase(try Sample.plan())), at: Self.later)
        #expect(ended.state == .active && ended.period.bundle == nil)
    }

    @Test func `a refund of the bundle's period and its reversal keep the bundle`() throws {
        var subscription = try Self.bundled()
        _ = subscription.handle(.refunded(period: 2), at: Self.later)
        #expect(subscription.state == .revoked)
        _ = subscription.handle(.refundReversed(period: 2), at: Self.later)
        #expect(subscription.state == .active && subscription.period.bundle == Self.bundle)
    }

    @Test func `a subscription with a pending plan, with seats, or with a commitment does not move`() throws {
        var pending = try Sample.subscription()
        _ = pending.handle(.purchase(SubscriptionPurchase(try Sample.bronze())), at: Self.later)
        var monthly = try Sample.plan()
        monthly.commitment = SubscriptionCommitment(charges: 1, price: Sample.money(9_990))
        for var subscription in [pending, try Sample.subscription(try Sample.team()), try Sample.subscription(monthly)] {
            #expect(!subscription.canMoveToBundle(at: Self.later) && subscription.handle(.bundled(Self.bundle), at: Self.later).isEmpty)
        }
    }
}
