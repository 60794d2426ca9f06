import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionExtensionTests {
    @Test(arguments: [
        (SubscriptionStage.active, ExtensionRefusal?.none), (.changePending, nil), (.consentPending, nil), (.autoRenewOff, nil),
        (.grace, .gracePeriod), (.retry, .billingRetry), (.expired, .expired), (.revoked, .revoked),
    ]) func `only an active subscription can be extended`(_ stage: SubscriptionStage, _ refusal: ExtensionRefusal?) throws {
        let subscription = try stage.sample()
        #expect(subscription.refusal(ofExtensionBy: 10, at: Sample.firstEnd) == refusal)
    }

    @Test(arguments: [
        (-1, ExtensionRefusal?.some(.invalidDays)), (0, .invalidDays), (1, nil), (90, nil), (91, .invalidDays), (.max, .invalidDays),
    ])
    func `an extension has 1 to 90 days`(_ days: Int, _ refusal: ExtensionRefusal?) throws {
        #expect(try Sample.subscription().refusal(ofExtensionBy: days, at: Sample.start) == refusal)
    }

    @Test func `an extension moves the renewal date, at most twice within a year`() throws {
        var subscription = try Sample.subscription(try Sample.plan("silver", "P1Y"))
        let end = subscription.paidUntil
        let actions = subscription.handle(.extended(days: 30), at: Sample.start)
        #expect(actions == [.setExpirationDate(period: 1, to: end.adding(days: 30)), .notify(.extended, period: 1)])
        #expect(!subscription.handle(.extended(days: 90), at: Sample.start.adding(days: 5)).isEmpty)
        #expect(subscription.paidUntil == end.adding(days: 120))
        #expect(subscription.refusal(ofExtensionBy: 1, at: Sample.start.adding(days: 364)) == .extensionLimitReached)
        #expect(subscription.handle(.extended(days: 1), at: Sample.start.adding(days: 364)).isEmpty)
        #expect(subscription.refusal(ofExtensionBy: 1, at: Sample.start.adding(days: 365)) == nil)
        #expect(subscription.processDue().charges.map(\.start) == [end.adding(days: 120)])
    }

    @Test func `a free period cannot be extended, and a shared subscription only with the purchaser's`() throws {
        let trial = try Sample.subscription(offer: try Sample.offer(.introductory, .freeTrial))
        #expect(trial.refusal(ofExtensionBy: 10, at: Sample.start) == .freePeriod)
        var shared = try Sample.subscription(ownership: .familyShared)
        #expect(shared.refusal(ofExtensionBy: 10, at: Sample.start) == .familyShared)
        #expect(shared.handle(.extended(days: 10), at: Sample.start).notifications == [.extended])
    }
}
