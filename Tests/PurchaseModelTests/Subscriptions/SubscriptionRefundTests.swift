import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionRefundTests {
    @Test func `a full or partial refund of the latest period revokes the subscription`() throws {
        var full = try Sample.subscription()
        let now = Sample.start.adding(days: 7)
        #expect(full.handle(.refunded(period: 1), at: now) == [.revoke(period: 1, .full), .notify(.refunded, period: 1)])
        #expect(full.status == .revoked)
        #expect(full.paidUntil == Sample.firstEnd)
        var prorated = try Sample.subscription()
        guard case .revoke(1, let revocation)? = prorated.handle(.refunded(period: 1, percentage: 50_000), at: now).first else {
            return #expect(Bool(false), "no revocation")
        }
        #expect(revocation.percentage == 50_000)
        #expect(revocation.kind == .proratedRefund)
        #expect(prorated.status == .revoked)
    }

    @Test func `a refund of an earlier period does not change the subscription`() throws {
        var subscription = try SubscriptionStage.active.sample()
        let before = subscription
        #expect(subscription.handle(.refunded(period: 1), at: Sample.firstEnd).notifications == [.refunded])
        #expect(subscription == before)
    }

    @Test func `a refund reversed during the period reinstates the subscription`() throws {
        var subscription = try Sample.subscription()
        let before = subscription
        _ = subscription.handle(.refunded(period: 1), at: Sample.start)
        let actions = subscription.handle(.refundReversed(period: 1), at: Sample.firstEnd.adding(milliseconds: -1))
        #expect(actions == [.reinstate(period: 1), .notify(.refundReversed, period: 1)])
        #expect(subscription.state == before.state)
        #expect(subscription.paidUntil == before.paidUntil)
        #expect(subscription.autoRenews)
    }

    @Test func `a refund reversed after the period leaves the subscription expired`() throws {
        var subscription = try Sample.subscription()
        _ = subscription.handle(.refunded(period: 1), at: Sample.start)
        #expect(subscription.handle(.refundReversed(period: 1), at: Sample.firstEnd).notifications == [.refundReversed])
        #expect(subscription.state == .expired(.other))
    }

    @Test func `a refund reversed after a new purchase does not change the new period`() throws {
        var subscription = try Sample.subscription()
        _ = subscription.handle(.refunded(period: 1), at: Sample.start)
        _ = subscription.handle(.purchase(SubscriptionPurchase(try Sample.gold())), at: Sample.start)
        let before = subscription
        #expect(subscription.handle(.refundReversed(period: 1), at: Sample.start).summary == "reinstate REFUND_REVERSED")
        #expect(subscription == before)
    }

    @Test(arguments: [(Int64(9_990), 33_333, Int64(3_329)), (.max, 100_000, .max), (.min, 100_000, .min), (0, 50_000, 0), (100_000, 1, 1)])
    func `a prorated refund is truncated to milliunits`(_ price: Int64, _ percentage: Int, _ amount: Int64) throws {
        let end = Timestamp(milliseconds: 100_000)
        let start = Timestamp(milliseconds: 0)
        let revocation = SubscriptionRevocation.prorated(from: start, to: end, at: Timestamp(milliseconds: 100_000 - Int64(percentage)))
        #expect(revocation.percentage == percentage)
        #expect(revocation.amount(of: Sample.money(price)) == Sample.money(amount))
    }

    @Test func `a shared subscription follows the purchaser's and costs nothing`() throws {
        var shared = try Sample.subscription(ownership: .familyShared)
        #expect(shared.periodPrice == 0)
        #expect(shared.processDue().charges.map(\.price.milliunits) == [0])
        #expect(shared.renewalInfo(environment: .sandbox, signedDate: Sample.start).renewalPrice == nil)
        let now = Sample.firstEnd.adding(days: 1)
        let upgraded = shared.handle(.purchase(SubscriptionPurchase(try Sample.gold())), at: now)
        #expect(upgraded.first == .markUpgraded(period: 2, refund: nil))
        #expect(shared.handle(.refunded(period: 1), at: now) == [.revoke(period: 1, .family)])
        #expect(shared.handle(.refunded(period: 3), at: now) == [.revoke(period: 3, .family), .notify(.revoked, period: 3)])
        #expect(shared.handle(.refundReversed(period: 3), at: now).notifications == [.refundReversed])
        #expect(shared.handle(.sharingEnded, at: now).notifications == [.revoked])
        #expect(shared.handle(.refundReversed(period: 3), at: now).isEmpty)
        #expect(shared.status == .revoked)
    }
}
