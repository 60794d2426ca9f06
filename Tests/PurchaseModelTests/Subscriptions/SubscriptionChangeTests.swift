import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionChangeTests {
    @Test(arguments: [
        (1, "P1M", SubscriptionChange.upgrade), (1, "P1Y", .upgrade), (2, "P1M", .upgrade), (2, "P1Y", .downgrade), (3, "P1M", .downgrade),
    ]) func `the level of service and the duration distinguish upgrades from downgrades`(
        _ level: Int, _ length: String, _ change: SubscriptionChange
    ) throws {
        #expect(SubscriptionChange(from: try Sample.plan(), to: try Sample.plan("other", level: level, length)) == change)
        #expect(SubscriptionChange(from: try Sample.plan(), to: try Sample.plan(level: level, length)) == nil)
    }

    @Test func `an upgrade starts immediately and refunds the remaining time`() throws {
        var subscription = try Sample.subscription()
        let now = Sample.start.adding(days: 7)
        let actions = subscription.handle(.purchase(SubscriptionPurchase(try Sample.gold())), at: now)
        // 21 of 28 days are left.
        guard case .markUpgraded(period: 1, let refund?) = actions.first else { return #expect(Bool(false), "no prorated refund") }
        #expect(refund.kind == .proratedRefund)
        #expect(refund.percentage == 75_000)
        #expect(refund.amount(of: Sample.money(9_990)) == Sample.money(7_492))
        #expect(actions.charges.map(\.number) == [2])
        #expect(subscription.period.start == now)
        #expect(subscription.period.reason == .purchase)
        #expect(subscription.periodPrice == 19_990)
        #expect(subscription.productID == "gold")
    }

    @Test func `a downgrade takes effect at the renewal and can be canceled before`() throws {
        var subscription = try Sample.subscription()
        let down = subscription.handle(.purchase(SubscriptionPurchase(try Sample.bronze())), at: Sample.start)
        #expect(down == [.notify(.planChanged(.downgrade), period: 1)])
        #expect(subscription.productID == "silver")
        let info = subscription.renewalInfo(environment: .sandbox, signedDate: Sample.start)
        #expect(info.productId == "silver")
        #expect(info.autoRenewProductId == "bronze")
        #expect(info.renewalPrice == 4_990)

        var canceled = subscription
        let back = canceled.handle(.purchase(SubscriptionPurchase(try Sample.plan())), at: Sample.start)
        #expect(back == [.notify(.planChanged(nil), period: 1)])
        #expect(canceled.processDue().charges.map(\.plan.productID) == ["silver"])

        let renewed = subscription.processDue().charges
        #expect(renewed.map(\.plan.productID) == ["bronze"])
        #expect(renewed.map(\.reason) == [.renewal])
        #expect(renewed.map(\.start) == [Sample.firstEnd])
    }

    @Test func `a resubscription keeps the original transaction`() throws {
        var subscription = try SubscriptionStage.expired.sample()
        let now = Sample.secondEnd.adding(days: 100)
        let actions = subscription.handle(.purchase(SubscriptionPurchase(try Sample.gold())), at: now)
        #expect(actions.notifications == [.resubscribed])
        #expect(subscription.originalTransactionID == "1")
        #expect(subscription.period.number == 3)
        #expect(subscription.recentSubscriptionStartDate == now)
        #expect(subscription.willAutoRenew)
    }

    @Test(arguments: [(60, false), (61, true)]) func `a gap of more than 60 days resets the recent subscription start date`(
        _ days: Int64, _ isNew: Bool
    ) throws {
        var subscription = try SubscriptionStage.expired.sample()
        _ = subscription.handle(.purchase(SubscriptionPurchase(try Sample.plan())), at: Sample.secondEnd.adding(days: days))
        #expect((subscription.recentSubscriptionStartDate != Sample.start) == isNew)
    }

    @Test func `the sandbox renews 12 times, and a gap of more than 10 minutes resets the recent start date`() throws {
        var subscription = try Sample.subscription(rules: .sandbox)
        for _ in 0..<11 {
            #expect(subscription.processDue().notifications == [.renewed])
        }
        #expect(subscription.processDue().notifications == [.renewed, .autoRenewChanged(false)])
        #expect(subscription.handle(.autoRenew(true), at: subscription.period.start).isEmpty)
        #expect(subscription.processDue().notifications == [.expired(.customerCancelled)])
        let now = subscription.paidUntil.adding(seconds: 601)
        _ = subscription.handle(.purchase(SubscriptionPurchase(try Sample.plan())), at: now)
        #expect(subscription.recentSubscriptionStartDate == now)
        #expect(subscription.processDue().notifications == [.renewed])
    }
}
