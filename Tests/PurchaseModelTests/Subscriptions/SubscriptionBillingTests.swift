import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionBillingTests {
    @Test func `late renewals keep the billing cycle, also when several are overdue`() throws {
        var subscription = try Sample.subscription()
        let late = Sample.secondEnd.adding(days: 5)
        #expect(subscription.handle(.billingIssueResolved, at: late) == [.overdue(since: Sample.firstEnd)])
        var starts: [Timestamp] = []
        while let due = subscription.nextRenewalDate, due <= late {
            starts += subscription.handle(.due(hasValidPaymentMethod: true), at: late).charges.map(\.start)
        }
        #expect(starts == [Sample.firstEnd, Sample.secondEnd])
    }

    @Test(arguments: [
        ("P1M", "2025-01-31", ["2025-02-28", "2025-03-31", "2025-04-30", "2025-05-31", "2025-06-30"]),
        ("P1M", "2025-01-30", ["2025-02-28", "2025-03-30", "2025-04-30", "2025-05-30"]),
        ("P1M", "2025-02-28", ["2025-03-28", "2025-04-28"]),
        ("P1M", "2023-12-31", ["2024-01-31", "2024-02-29", "2024-03-31"]),
        ("P6M", "2025-08-31", ["2026-02-28", "2026-08-31", "2027-02-28"]),
        ("P1Y", "2024-02-29", ["2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"]),
        ("P1W", "2025-01-31", ["2025-02-07", "2025-02-14"]),
    ]) func `renewals return to the day of the month on which the subscription started`(
        _ length: String, _ start: String, _ renewals: [String]
    ) throws {
        let first = Timestamp(try Date("\(start)T10:00:00Z", strategy: .iso8601))
        let purchase = SubscriptionPurchase(try Sample.plan("silver", length))
        var subscription = Subscription.begin(originalTransactionID: "1", purchase: purchase, at: first).subscription
        let starts = renewals.flatMap { _ in subscription.processDue().charges.map(\.start.description) }
        #expect(starts.map { String($0.prefix(10)) } == renewals)
    }

    @Test func `an extension, a recovery after access ended and another plan start a new billing cycle`() throws {
        func day(_ subscription: Subscription) -> String { String(subscription.paidUntil.description.prefix(10)) }
        var extended = try Sample.subscription()
        extended.processDue()
        _ = extended.handle(.extended(days: 3), at: Sample.firstEnd)
        extended.processDue()
        #expect(day(extended) == "2025-05-03")

        var recovered = try SubscriptionStage.retry.sample()
        _ = recovered.handle(.billingIssueResolved, at: Sample.secondEnd.adding(days: 30))
        recovered.processDue()
        #expect(day(recovered) == "2025-06-30")

        var upgraded = try Sample.subscription()
        upgraded.processDue()
        _ = upgraded.handle(.purchase(SubscriptionPurchase(try Sample.gold())), at: Sample.firstEnd)
        upgraded.processDue()
        #expect(day(upgraded) == "2025-04-28")
    }

    @Test func `an event dated before the latest state change takes effect at that change`() throws {
        var subscription = try SubscriptionStage.active.sample()
        _ = subscription.handle(.purchase(SubscriptionPurchase(try Sample.gold())), at: Sample.start.adding(days: -30))
        #expect(subscription.period.start == Sample.firstEnd)
        #expect(subscription.paidUntil == Sample.firstEnd.adding(days: 28))

        var ended = try SubscriptionStage.expired.sample()
        _ = ended.handle(.purchase(SubscriptionPurchase(try Sample.gold())), at: Sample.firstEnd)
        #expect(ended.period.start == Sample.secondEnd)
    }

    @Test func `recovery in the grace period keeps the billing cycle, and later recovery starts a new one`() throws {
        var inGrace = try SubscriptionStage.grace.sample()
        let early = inGrace.handle(.billingIssueResolved, at: Sample.secondEnd.adding(days: 10))
        #expect(early.charges.map(\.start) == [Sample.secondEnd])
        #expect(early.notifications == [.recovered])

        var inRetry = try SubscriptionStage.retry.sample()
        let now = Sample.secondEnd.adding(days: 20)
        let late = inRetry.handle(.billingIssueResolved, at: now)
        #expect(late.charges.map(\.start) == [now])
        #expect(inRetry.paidUntil == (try Sample.period("P1M")).end(after: now))
    }

    @Test(arguments: [
        ("P1W", Int?.none, Int64(6)), ("P1W", 3, 3), ("P1W", 28, 6), ("P1M", nil, 16), ("P1M", 3, 3), ("P1Y", 28, 28), ("P1M", -1, 1),
    ]) func `the length of the grace period follows the rules`(_ length: String, _ configured: Int?, _ days: Int64) throws {
        var subscription = try Sample.subscription(
            try Sample.plan("silver", length), rules: SubscriptionRules(billingGracePeriodDays: configured))
        let end = subscription.paidUntil
        subscription.processDue(hasValidPaymentMethod: false)
        #expect(subscription.gracePeriodExpirationDate == end.adding(days: days))
    }

    @Test func `a billing issue leads to the grace period, billing retry and expiration after 60 days`() throws {
        var subscription = try Sample.subscription()
        #expect(subscription.processDue(hasValidPaymentMethod: false).notifications == [.failedToRenew(grace: true)])
        #expect(subscription.isInBillingRetry == true)
        #expect(subscription.processDue(hasValidPaymentMethod: false).notifications == [.gracePeriodExpired])
        let info = subscription.renewalInfo(environment: .sandbox, signedDate: Sample.start, eligibleWinBackOfferIDs: ["a"])
        #expect(info.expirationIntent == 2)
        #expect(info.eligibleWinBackOfferIds == nil)
        #expect(subscription.nextRenewalDate == Sample.firstEnd.adding(days: 60))
        #expect(subscription.processDue(hasValidPaymentMethod: false).notifications == [.expired(.billingError)])
        #expect(subscription.isInBillingRetry == false)
    }

    @Test func `a subscription that expired without a billing issue is not in billing retry`() throws {
        var cancelled = try Sample.subscription()
        #expect(cancelled.isInBillingRetry == nil)
        _ = cancelled.handle(.autoRenew(false), at: Sample.start)
        cancelled.processDue()
        let info = cancelled.renewalInfo(environment: .sandbox, signedDate: Sample.firstEnd)
        #expect(info.expirationIntent == 1 && info.isInBillingRetryPeriod == false)
        var withdrawn = try Sample.subscription()
        #expect(withdrawn.processDue(isProductAvailable: false).notifications == [.expired(.productUnavailable)])
        #expect(withdrawn.isInBillingRetry == false)
        // After a resubscription, the billing retry status is absent again.
        _ = cancelled.handle(.purchase(SubscriptionPurchase(try Sample.plan())), at: Sample.secondEnd)
        #expect(cancelled.isInBillingRetry == nil)
    }

    @Test func `without a grace period, a failed renewal ends access immediately`() throws {
        var subscription = try Sample.subscription(rules: SubscriptionRules(billingGracePeriodIsEnabled: false))
        #expect(subscription.processDue(hasValidPaymentMethod: false).notifications == [.failedToRenew(grace: false)])
        #expect(subscription.status == .billingRetry)
        #expect(subscription.nextRenewalDate == Sample.firstEnd.adding(days: 60))
    }

    @Test func `the grace period can require a paid period`() throws {
        let rules = SubscriptionRules(billingGracePeriodRequiresPaidPeriod: true)
        var trial = try Sample.subscription(offer: try Sample.offer(.introductory, .freeTrial), rules: rules)
        #expect(trial.processDue(hasValidPaymentMethod: false).notifications == [.failedToRenew(grace: false)])
        var paid = try Sample.subscription(rules: rules)
        #expect(paid.processDue(hasValidPaymentMethod: false).notifications == [.failedToRenew(grace: true)])
    }

    @Test func `a forced renewal that fails ends the period, and the next one ends the grace period`() throws {
        var subscription = try Sample.subscription(rules: SubscriptionRules(billingGracePeriodIsEnabled: true))
        let now = Sample.start.adding(days: 3)
        let failed = subscription.handle(.renewalForced(hasValidPaymentMethod: false), at: now)
        #expect(failed == [.setExpirationDate(period: 1, to: now), .notify(.failedToRenew(grace: true), period: 1)])
        #expect(subscription.paidUntil == now && subscription.status == .gracePeriod)
        #expect(subscription.handle(.renewalForced(hasValidPaymentMethod: false), at: now).notifications == [.gracePeriodExpired])
        #expect(subscription.status == .billingRetry)
        #expect(subscription.handle(.renewalForced(), at: now).isEmpty)
    }

    @Test func `a forced renewal starts a period immediately, and a forced expiration ends the period`() throws {
        let now = Sample.start.adding(days: 3)
        var renewed = try SubscriptionStage.autoRenewOff.sample()
        let renewalDate = Sample.firstEnd.adding(days: 3)
        #expect(renewed.handle(.renewalForced(), at: renewalDate).first == .setExpirationDate(period: 2, to: renewalDate))
        #expect(renewed.period.start == renewalDate)
        #expect(renewed.autoRenews)
        var ended = try Sample.subscription()
        #expect(
            ended.handle(.expiryForced, at: now) == [
                .setExpirationDate(period: 1, to: now), .notify(.expired(.customerCancelled), period: 1),
            ])
        #expect(ended.paidUntil == now)
        #expect(!ended.willAutoRenew)
    }
}
