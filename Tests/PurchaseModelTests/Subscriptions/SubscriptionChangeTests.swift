import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionChangeTests {
    @Test(arguments: [
        (1, "P1M", SubscriptionChange.upgrade), (1, "P1Y", .upgrade), (2, "P1M", .upgrade), (2, "P1Y", .downgrade), (3, "P1M", .downgrade),
    ]) func `level and length decide when a change takes effect`(_ level: Int, _ length: String, _ change: SubscriptionChange) throws {
        #expect(SubscriptionChange(from: try Sample.plan(), to: try Sample.plan("other", level: level, length)) == change)
        #expect(SubscriptionChange(from: try Sample.plan(), to: try Sample.plan(level: level, length)) == nil)
    }

    @Test func `an upgrade starts now and pays back the time that was left`() throws {
        var subscription = try Sample.subscription()
        let now = Sample.start.adding(days: 7)
        let actions = subscription.handle(.purchase(SubscriptionPurchase(try Sample.gold())), at: now)
        // 21 of 28 days are left.
        guard case .markUpgraded(period: 1, let refund?) = actions.first else { return #expect(Bool(false), "nothing is paid back") }
        #expect(refund.kind == .proratedRefund)
        #expect(refund.percentage == 75_000)
        #expect(refund.amount(of: Sample.money(9_990)) == Sample.money(7_492))
        #expect(actions.charges.map(\.number) == [2])
        #expect(subscription.period.start == now)
        #expect(subscription.period.reason == .purchase)
        #expect(subscription.paid == 19_990)
        #expect(subscription.productID == "gold")
    }

    @Test func `a downgrade waits for the renewal, and can be withdrawn`() throws {
        var subscription = try Sample.subscription()
        let down = subscription.handle(.purchase(SubscriptionPurchase(try Sample.bronze())), at: Sample.start)
        #expect(down == [.notify(.planChanged(.downgrade), period: 1)])
        #expect(subscription.productID == "silver")
        let info = subscription.renewalInfo(environment: .sandbox, signedDate: Sample.start)
        #expect(info.productId == "silver")
        #expect(info.autoRenewProductId == "bronze")
        #expect(info.renewalPrice == 4_990)

        var withdrawn = subscription
        let back = withdrawn.handle(.purchase(SubscriptionPurchase(try Sample.plan())), at: Sample.start)
        #expect(back == [.notify(.planChanged(nil), period: 1)])
        #expect(withdrawn.fall().charges.map(\.plan.productID) == ["silver"])

        let renewed = subscription.fall().charges
        #expect(renewed.map(\.plan.productID) == ["bronze"])
        #expect(renewed.map(\.reason) == [.renewal])
        #expect(renewed.map(\.start) == [Sample.firstEnd])
    }

    @Test func `who comes back keeps the first transaction`() throws {
        var subscription = try SubscriptionStage.expired.sample()
        let now = Sample.secondEnd.adding(days: 100)
        let actions = subscription.handle(.purchase(SubscriptionPurchase(try Sample.gold())), at: now)
        #expect(actions.notices == [.resubscribed])
        #expect(subscription.originalTransactionID == "1")
        #expect(subscription.period.number == 3)
        #expect(subscription.recentStart == now)
        #expect(subscription.willRenew)
    }

    @Test(arguments: [(60, false), (61, true)]) func `a run of service ends after sixty days without`(_ days: Int64, _ isNew: Bool) throws {
        var subscription = try SubscriptionStage.expired.sample()
        _ = subscription.handle(.purchase(SubscriptionPurchase(try Sample.plan())), at: Sample.secondEnd.adding(days: days))
        #expect((subscription.recentStart != Sample.start) == isNew)
    }

    @Test func `in the sandbox ten minutes end a run of service, and twelve renewals renewing`() throws {
        var subscription = try Sample.subscription(rules: .sandbox)
        for _ in 0..<11 {
            #expect(subscription.fall().notices == [.renewed])
        }
        #expect(subscription.fall().notices == [.renewed, .autoRenewChanged(false)])
        #expect(subscription.handle(.autoRenew(true), at: subscription.period.start).isEmpty)
        #expect(subscription.fall().notices == [.expired(.customerCancelled)])
        let now = subscription.paidUntil.adding(seconds: 601)
        _ = subscription.handle(.purchase(SubscriptionPurchase(try Sample.plan())), at: now)
        #expect(subscription.recentStart == now)
        #expect(subscription.fall().notices == [.renewed])
    }
}
