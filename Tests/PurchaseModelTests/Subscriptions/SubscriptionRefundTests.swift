import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionRefundTests {
    @Test func `a refund of the newest period revokes, whole or for what is left`() throws {
        var whole = try Sample.subscription()
        let now = Sample.start.adding(days: 7)
        #expect(whole.handle(.refunded(period: 1), at: now) == [.revoke(period: 1, .full), .notify(.refunded, period: 1)])
        #expect(whole.subscriptionStatus == .revoked)
        #expect(whole.paidUntil == Sample.firstEnd)
        var part = try Sample.subscription()
        guard case .revoke(1, let revocation)? = part.handle(.refunded(period: 1, prorated: true), at: now).first else {
            return #expect(Bool(false), "nothing is revoked")
        }
        #expect(revocation.percentage == 75_000)
        #expect(part.subscriptionStatus == .revoked)
    }

    @Test func `a refund of an older period leaves the subscription alone`() throws {
        var subscription = try SubscriptionStage.active.sample()
        let before = subscription
        #expect(subscription.handle(.refunded(period: 1), at: Sample.firstEnd).notices == [.refunded])
        #expect(subscription == before)
    }

    @Test func `a reversed refund gives back what still lasts`() throws {
        var subscription = try Sample.subscription()
        let before = subscription
        _ = subscription.handle(.refunded(period: 1), at: Sample.start)
        let actions = subscription.handle(.refundReversed(period: 1), at: Sample.firstEnd.adding(milliseconds: -1))
        #expect(actions == [.reinstate(period: 1), .notify(.refundReversed, period: 1)])
        #expect(subscription.state == before.state)
        #expect(subscription.paidUntil == before.paidUntil)
        #expect(subscription.autoRenews)
    }

    @Test func `a refund reversed after the period gives back an ended subscription`() throws {
        var subscription = try Sample.subscription()
        _ = subscription.handle(.refunded(period: 1), at: Sample.start)
        #expect(subscription.handle(.refundReversed(period: 1), at: Sample.firstEnd).notices == [.refundReversed])
        #expect(subscription.state == .expired(.other))
    }

    @Test func `a refund reversed after a new purchase leaves that alone`() throws {
        var subscription = try Sample.subscription()
        _ = subscription.handle(.refunded(period: 1), at: Sample.start)
        _ = subscription.handle(.purchase(SubscriptionPurchase(try Sample.gold())), at: Sample.start)
        let before = subscription
        #expect(subscription.handle(.refundReversed(period: 1), at: Sample.start).words == "reinstate REFUND_REVERSED")
        #expect(subscription == before)
    }

    @Test(arguments: [(Int64(9_990), 33_333, Int64(3_329)), (.max, 100_000, .max), (.min, 100_000, .min), (0, 50_000, 0), (100_000, 1, 1)])
    func `what is paid back is cut off to thousandths`(_ price: Int64, _ percentage: Int, _ amount: Int64) throws {
        let end = Timestamp(milliseconds: 100_000)
        let start = Timestamp(milliseconds: 0)
        let revocation = SubscriptionRevocation.prorated(from: start, to: end, at: Timestamp(milliseconds: 100_000 - Int64(percentage)))
        #expect(revocation.percentage == percentage)
        #expect(revocation.amount(of: Sample.money(price)) == Sample.money(amount))
    }

    @Test func `a member's copy follows the purchaser and costs nothing`() throws {
        var copy = try Sample.subscription(ownership: .familyShared)
        #expect(copy.paid == 0)
        #expect(copy.fall().charges.map(\.price.milliunits) == [0])
        #expect(copy.renewalInfo(environment: .sandbox, signedDate: Sample.start).renewalPrice == nil)
        let now = Sample.firstEnd.adding(days: 1)
        let upgraded = copy.handle(.purchase(SubscriptionPurchase(try Sample.gold())), at: now)
        #expect(upgraded.first == .markUpgraded(period: 2, refund: nil))
        #expect(copy.handle(.refunded(period: 1), at: now) == [.revoke(period: 1, .family)])
        #expect(copy.handle(.refunded(period: 3), at: now) == [.revoke(period: 3, .family), .notify(.revoked, period: 3)])
        #expect(copy.handle(.refundReversed(period: 3), at: now).notices == [.refundReversed])
        #expect(copy.handle(.sharingEnded, at: now).notices == [.revoked])
        #expect(copy.handle(.refundReversed(period: 3), at: now).isEmpty)
        #expect(copy.subscriptionStatus == .revoked)
    }
}
