import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionExtensionTests {
    @Test(arguments: [
        (SubscriptionStage.active, ExtensionRefusal?.none), (.changing, nil), (.asked, nil), (.cancelled, nil), (.grace, .gracePeriod),
        (.retry, .billingRetry), (.expired, .expired), (.revoked, .revoked),
    ]) func `only what lasts can be put off`(_ stage: SubscriptionStage, _ refusal: ExtensionRefusal?) throws {
        let subscription = try stage.sample()
        #expect(subscription.refusal(ofExtensionBy: 10, at: Sample.firstEnd) == refusal)
    }

    @Test(arguments: [(-1, ExtensionRefusal?.some(.days)), (0, .days), (1, nil), (90, nil), (91, .days), (.max, .days)])
    func `it is put off by one to ninety days`(_ days: Int, _ refusal: ExtensionRefusal?) throws {
        #expect(try Sample.subscription().refusal(ofExtensionBy: days, at: Sample.start) == refusal)
    }

    @Test func `the renewal date moves, twice within a year`() throws {
        var subscription = try Sample.subscription(try Sample.plan("silver", "P1Y"))
        let end = subscription.paidUntil
        let actions = subscription.handle(.extended(days: 30), at: Sample.start)
        #expect(actions == [.moveEnd(period: 1, to: end.adding(days: 30)), .notify(.extended, period: 1)])
        #expect(!subscription.handle(.extended(days: 90), at: Sample.start.adding(days: 5)).isEmpty)
        #expect(subscription.paidUntil == end.adding(days: 120))
        #expect(subscription.refusal(ofExtensionBy: 1, at: Sample.start.adding(days: 364)) == .tooOften)
        #expect(subscription.handle(.extended(days: 1), at: Sample.start.adding(days: 364)).isEmpty)
        #expect(subscription.refusal(ofExtensionBy: 1, at: Sample.start.adding(days: 365)) == nil)
        #expect(subscription.fall().charges.map(\.start) == [end.adding(days: 120)])
    }

    @Test func `a free period is not put off, and a copy only with the purchaser's`() throws {
        let trial = try Sample.subscription(offer: try Sample.offer(.introductory, .freeTrial))
        #expect(trial.refusal(ofExtensionBy: 10, at: Sample.start) == .freePeriod)
        var copy = try Sample.subscription(ownership: .familyShared)
        #expect(copy.refusal(ofExtensionBy: 10, at: Sample.start) == .familyCopy)
        #expect(copy.handle(.extended(days: 10), at: Sample.start).notices == [.extended])
    }
}
