import PurchaseModel
import PurchaseTestSupport
import Testing

/// Tests of subscriptions that are sold in seats: prices, additions, reductions and refunds.
@Suite struct SubscriptionSeatTests {
    private static func team(_ seats: Int? = 5, offer: SubscriptionOffer? = nil) throws -> Subscription {
        Subscription.begin(
            originalTransactionID: "1", purchase: SubscriptionPurchase(try Sample.team(), offer: offer, seats: seats), at: Sample.start,
            rules: SubscriptionRules(), ownership: .purchased
        ).subscription
    }

    private static let later = Sample.start.adding(days: 5)

    private static let prices: [(seats: Int, total: Int64, average: Int64)] = [
        (1, 12_000, 12_000), (3, 36_000, 12_000), (4, 45_000, 11_250), (5, 54_000, 10_800), (7, 72_000, 10_285),
    ]

    @Test(arguments: prices) func `each seat costs the price of its tier`(_ seats: Int, _ total: Int64, _ average: Int64) throws {
        let subscription = try Self.team(seats)
        #expect(subscription.periodPrice == total && subscription.period.seats?.total == total)
        let renewal = subscription.renewalInfo(environment: .sandbox, signedDate: Sample.start)
        #expect(renewal.renewalPrice == average)
        #expect(renewal.renewalQuantity == (seats > 1 ? seats : nil))
        #expect(renewal.multiSeatInfo?.renewalPriceTiers?.total == (seats > 1 ? total : nil))
    }

    private static let tiers: [([(Int, Int64)], Bool)] = [
        ([(1, 10)], true), ([(1, 10), (2, 9), (3, 8), (4, 7), (5, 6)], true), ([], false), ([(2, 10)], false), ([(1, 10), (1, 9)], false),
        ([(1, 10), (0, 9)], false), ([(1, -1)], false), ([(1, 10), (2, 9), (3, 8), (4, 7), (5, 6), (6, 5)], false),
        ([(1, 10), (10_001, 9)], false),
    ]

    @Test(arguments: tiers) func `prices begin with the first seat, and have at most five tiers in order`(
        _ tiers: [(Int, Int64)], _ isValid: Bool
    ) {
        let pricing = SeatPricing(tiers.map { SeatPricing.Tier(minimumSeats: $0.0, price: Sample.money($0.1)) })
        #expect((pricing != nil) == isValid)
    }

    @Test func `added seats are charged at once, at the prices of their numbers`() throws {
        var subscription = try Self.team(3)
        let actions = subscription.handle(.purchase(SubscriptionPurchase(try Sample.team(), seats: 5)), at: Self.later)
        #expect(actions.summary == "addSeats DID_CHANGE_RENEWAL_PREF/INCREASE_QUANTITY")
        guard case .addSeats(let period, let addition) = actions.first else { return }
        #expect(period == 1 && addition.seats == 2 && addition.price.milliunits == 18_000)
        #expect(subscription.seats?.count == 5 && subscription.seats?.atRenewal == 5)
        subscription.processDue()
        #expect(subscription.periodPrice == 54_000)
    }

    @Test func `a customer who canceled and adds seats renews again`() throws {
        var subscription = try Self.team(3)
        _ = subscription.handle(.autoRenew(false), at: Self.later)
        let actions = subscription.handle(.purchase(SubscriptionPurchase(try Sample.team(), seats: 4)), at: Self.later)
        #expect(actions.summary.hasSuffix("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED") && subscription.autoRenews)
    }

    @Test func `a reduction applies at the renewal, and can be withdrawn`() throws {
        var subscription = try Self.team(5)
        #expect(subscription.handle(.seatsAtRenewal(2), at: Self.later).summary == "DID_CHANGE_RENEWAL_PREF/DECREASE_QUANTITY")
        #expect(subscription.seats?.count == 5)
        #expect(subscription.handle(.seatsAtRenewal(4), at: Self.later).summary == "DID_CHANGE_RENEWAL_PREF/INCREASE_QUANTITY")
        #expect(subscription.handle(.seatsAtRenewal(4), at: Self.later).isEmpty)
        subscription.processDue()
        #expect(subscription.seats?.count == 4 && subscription.periodPrice == 45_000)
    }

    @Test(arguments: [0, -1, 6, .max, .min]) func `a renewal has at least one seat and at most the current ones`(_ count: Int) throws {
        var subscription = try Self.team(5)
        #expect(subscription.handle(.seatsAtRenewal(count), at: Self.later).isEmpty && subscription.seats?.atRenewal == 5)
    }

    @Test func `a refund of some seats leaves the subscription, and a refund of all revokes it`() throws {
        var subscription = try Self.team(5)
        #expect(subscription.handle(.seatsRefunded(2), at: Self.later).isEmpty && subscription.state == .active)
        #expect(subscription.seats?.count == 3)
        // Additions count from the seats that the customer still has.
        _ = subscription.handle(.purchase(SubscriptionPurchase(try Sample.team(), seats: 4)), at: Self.later)
        #expect(subscription.seats?.count == 4)
        #expect(subscription.handle(.seatsRefunded(5), at: Self.later).isEmpty && subscription.state == .active)
        _ = subscription.handle(.seatsRefunded(4), at: Self.later)
        #expect(subscription.state == .revoked && !subscription.willAutoRenew)
        _ = subscription.handle(.seatRefundReversed(1), at: Self.later)
        #expect(subscription.state == .active && subscription.autoRenews && subscription.seats?.count == 1)
    }

    @Test func `each seat costs the price of an offer, and nothing in a free trial`() throws {
        let trial = try Self.team(5, offer: try Sample.offer(.introductory, .freeTrial, "P3D"))
        #expect(trial.periodPrice == 0 && trial.period.seats?.total == 0)
        let offer = try Self.team(5, offer: try Sample.offer(.promotional, .payAsYouGo, price: 990))
        #expect(offer.periodPrice == 4_950)
    }

    @Test func `a price increase changes the price of the first tier`() throws {
        var subscription = try Self.team(4)
        _ = subscription.handle(.priceChanged(of: "team", to: Sample.money(13_000), requiresConsent: false), at: Self.later)
        subscription.processDue()
        #expect(subscription.periodPrice == 48_000)
    }

    @Test func `an upgrade to a plan without seats has none, and an upgrade to one with seats keeps their number`() throws {
        var gold = try Sample.team()
        (gold.productID, gold.level) = ("gold", 1)
        var subscription = try Self.team(4)
        _ = subscription.handle(.purchase(SubscriptionPurchase(gold)), at: Self.later)
        #expect(subscription.seats?.count == 4 && subscription.periodPrice == 45_000)
        _ = subscription.handle(.purchase(SubscriptionPurchase(try Sample.plan("platinum", level: 0))), at: Self.later)
        #expect(subscription.seats == nil && subscription.periodPrice == 9_990)
    }

    @Test func `a member gets no charge, renews with the purchaser, and loses the seat for good`() throws {
        var purchase = try Self.team(3)
        var member = purchase.sharedEntitlement(originalTransactionID: "2", .assigned, appTransactionID: "b").subscription
        #expect(member.ownership == .assigned && member.periodPrice == 0 && member.period.seats == purchase.period.seats)
        purchase.processDue()
        #expect(member.processDue().charges.map(\.price.milliunits) == [0])
        let actions = member.handle(.sharingEnded, at: Sample.firstEnd)
        #expect(actions.summary == "revoke REVOKE" && actions.first == .revoke(period: 2, .assignment))
        #expect(member.handle(.seatRefundReversed(1), at: Sample.firstEnd).isEmpty)
    }
}
