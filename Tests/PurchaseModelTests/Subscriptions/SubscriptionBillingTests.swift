import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionBillingTests {
    @Test func `renewals keep the cycle however late they are handled, several in one jump`() throws {
        var subscription = try Sample.subscription()
        let late = Sample.secondEnd.adding(days: 5)
        #expect(subscription.handle(.billingIssueResolved, at: late) == [.overdue(since: Sample.firstEnd)])
        var starts: [Timestamp] = []
        while let due = subscription.nextDue, due <= late {
            starts += subscription.handle(.due(cardWorks: true), at: late).charges.map(\.start)
        }
        #expect(starts == [Sample.firstEnd, Sample.secondEnd])
    }

    @Test func `an event that comes late happens after what has happened`() throws {
        var subscription = try SubscriptionStage.active.sample()
        _ = subscription.handle(.purchase(SubscriptionPurchase(try Sample.gold())), at: Sample.start.adding(days: -30))
        #expect(subscription.period.start == Sample.firstEnd)
        #expect(subscription.paidUntil == Sample.secondEnd)

        var ended = try SubscriptionStage.expired.sample()
        _ = ended.handle(.purchase(SubscriptionPurchase(try Sample.gold())), at: Sample.firstEnd)
        #expect(ended.period.start == Sample.secondEnd)
    }

    @Test func `recovery in grace keeps the cycle, recovery later starts a new one`() throws {
        var inGrace = try SubscriptionStage.grace.sample()
        let early = inGrace.handle(.billingIssueResolved, at: Sample.secondEnd.adding(days: 10))
        #expect(early.charges.map(\.start) == [Sample.secondEnd])
        #expect(early.notices == [.recovered])

        var inRetry = try SubscriptionStage.retry.sample()
        let now = Sample.secondEnd.adding(days: 20)
        let late = inRetry.handle(.billingIssueResolved, at: now)
        #expect(late.charges.map(\.start) == [now])
        #expect(inRetry.paidUntil == (try Sample.period("P1M")).end(after: now))
    }

    @Test(arguments: [
        ("P1W", Int?.none, Int64(6)), ("P1W", 3, 3), ("P1W", 28, 6), ("P1M", nil, 16), ("P1M", 3, 3), ("P1Y", 28, 28), ("P1M", -1, 1),
    ]) func `grace lasts as the rules say`(_ length: String, _ configured: Int?, _ days: Int64) throws {
        var subscription = try Sample.subscription(try Sample.plan("silver", length), rules: SubscriptionRules(graceDays: configured))
        let end = subscription.paidUntil
        subscription.fall(cardWorks: false)
        #expect(subscription.graceUntil == end.adding(days: days))
    }

    @Test func `billing fails, grace ends, and after sixty days the store gives up`() throws {
        var subscription = try Sample.subscription()
        #expect(subscription.fall(cardWorks: false).notices == [.failedToRenew(grace: true)])
        #expect(subscription.isInBillingRetry == true)
        #expect(subscription.fall(cardWorks: false).notices == [.gracePeriodExpired])
        let info = subscription.renewalInfo(environment: .sandbox, signedDate: Sample.start, eligibleWinBackOfferIDs: ["a"])
        #expect(info.expirationIntent == 2)
        #expect(info.eligibleWinBackOfferIds == nil)
        #expect(subscription.nextDue == Sample.firstEnd.adding(days: 60))
        #expect(subscription.fall(cardWorks: false).notices == [.expired(.billingError)])
        #expect(subscription.isInBillingRetry == false)
    }

    @Test func `whoever let it expire is told that nothing is tried any more`() throws {
        var cancelled = try Sample.subscription()
        #expect(cancelled.isInBillingRetry == nil)
        _ = cancelled.handle(.autoRenew(false), at: Sample.start)
        cancelled.fall()
        let info = cancelled.renewalInfo(environment: .sandbox, signedDate: Sample.firstEnd)
        #expect(info.expirationIntent == 1 && info.isInBillingRetryPeriod == false)
        var withdrawn = try Sample.subscription()
        #expect(withdrawn.fall(forSale: false).notices == [.expired(.productUnavailable)])
        #expect(withdrawn.isInBillingRetry == false)
        // There is access again after a return, and no end to speak of.
        _ = cancelled.handle(.purchase(SubscriptionPurchase(try Sample.plan())), at: Sample.secondEnd)
        #expect(cancelled.isInBillingRetry == nil)
    }

    @Test func `without grace a failed renewal ends access at once`() throws {
        var subscription = try Sample.subscription(rules: SubscriptionRules(grantsGrace: false))
        #expect(subscription.fall(cardWorks: false).notices == [.failedToRenew(grace: false)])
        #expect(subscription.subscriptionStatus == .billingRetry)
        #expect(subscription.nextDue == Sample.firstEnd.adding(days: 60))
    }

    @Test func `grace can be kept for those who have paid`() throws {
        let rules = SubscriptionRules(graceNeedsPayment: true)
        var trial = try Sample.subscription(offer: try Sample.offer(.introductory, .freeTrial), rules: rules)
        #expect(trial.fall(cardWorks: false).notices == [.failedToRenew(grace: false)])
        var paid = try Sample.subscription(rules: rules)
        #expect(paid.fall(cardWorks: false).notices == [.failedToRenew(grace: true)])
    }

    @Test func `a tester's renewal that can't be paid ends the period now; the next one ends the grace`() throws {
        var subscription = try Sample.subscription(rules: SubscriptionRules(grantsGrace: true))
        let now = Sample.start.adding(days: 3)
        let failed = subscription.handle(.renewalForced(cardWorks: false), at: now)
        #expect(failed == [.moveEnd(period: 1, to: now), .notify(.failedToRenew(grace: true), period: 1)])
        #expect(subscription.paidUntil == now && subscription.subscriptionStatus == .gracePeriod)
        #expect(subscription.handle(.renewalForced(cardWorks: false), at: now).notices == [.gracePeriodExpired])
        #expect(subscription.subscriptionStatus == .billingRetry)
        #expect(subscription.handle(.renewalForced(), at: now).isEmpty)
    }

    @Test func `a tester's renewal starts now, and a tester's end ends now`() throws {
        let now = Sample.start.adding(days: 3)
        var renewed = try SubscriptionStage.cancelled.sample()
        let moment = Sample.firstEnd.adding(days: 3)
        #expect(renewed.handle(.renewalForced(), at: moment).first == .moveEnd(period: 2, to: moment))
        #expect(renewed.period.start == moment)
        #expect(renewed.autoRenews)
        var ended = try Sample.subscription()
        #expect(ended.handle(.expiryForced, at: now) == [.moveEnd(period: 1, to: now), .notify(.expired(.customerCancelled), period: 1)])
        #expect(ended.paidUntil == now)
        #expect(!ended.willRenew)
    }
}
