import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionOfferTests {
    @Test(arguments: [OfferType.introductory, .promotional, .code, .winBack])
    func `a free trial costs nothing for the offer's period and renews at the regular price`(_ kind: OfferType) throws {
        var subscription = try Sample.subscription(offer: try Sample.offer(kind, .freeTrial, "P1W"))
        #expect(subscription.periodPrice == 0)
        #expect(subscription.period.offer?.offer.kind == kind)
        #expect(subscription.paidUntil == Sample.start.adding(days: 7))
        subscription.processDue()
        #expect(subscription.periodPrice == 9_990)
        #expect(subscription.period.offer == nil)
        #expect(subscription.period.reason == .renewal)
    }

    @Test func `a pay-as-you-go offer lasts for its number of periods`() throws {
        var subscription = try Sample.subscription(offer: try Sample.offer(.introductory, .payAsYouGo, count: 3, price: 1_990))
        var periodPrice = [subscription.periodPrice]
        for _ in 0..<4 {
            subscription.processDue()
            periodPrice.append(subscription.periodPrice)
        }
        #expect(periodPrice == [1_990, 1_990, 1_990, 9_990, 9_990])
    }

    @Test func `a pay-up-front offer is one charge for one long period`() throws {
        var subscription = try Sample.subscription(offer: try Sample.offer(.introductory, .payUpFront, "P3M", price: 14_990))
        #expect(subscription.periodPrice == 14_990)
        #expect(subscription.paidUntil == (try Sample.period("P3M")).end(after: Sample.start))
        subscription.processDue()
        #expect(subscription.periodPrice == 9_990)
        #expect(subscription.paidUntil == (try Sample.period("P1M")).end(after: subscription.period.start, day: 31))
    }

    @Test func `a stackable offer code follows the introductory offer`() throws {
        let intro = try Sample.offer(.introductory, .payAsYouGo, count: 2, price: 990)
        let code = try Sample.offer(.code, .payAsYouGo, price: 4_990, stackable: true)
        var subscription = try Sample.subscription(offer: intro, then: code)
        var periodPrice = [subscription.periodPrice]
        for _ in 0..<3 {
            subscription.processDue()
            periodPrice.append(subscription.periodPrice)
        }
        #expect(periodPrice == [990, 990, 4_990, 9_990])
    }

    @Test func `an offer redeemed by a subscriber begins at the next renewal and replaces the current offer`() throws {
        var subscription = try Sample.subscription(offer: try Sample.offer(.introductory, .payAsYouGo, count: 5, price: 990))
        let redeemed = try Sample.offer(.promotional, .payAsYouGo, price: 4_990)
        let actions = subscription.handle(.purchase(SubscriptionPurchase(try Sample.plan(), offer: redeemed)), at: Sample.start)
        #expect(actions == [.notify(.offerRedeemed(nil), period: 1)])
        #expect(subscription.periodPrice == 990)
        let info = subscription.renewalInfo(environment: .sandbox, signedDate: Sample.start)
        #expect(info.renewalPrice == 4_990)
        #expect(info.offer == .promotional)
        #expect(info.offerIdentifier == "spring")
        #expect(info.offerPeriod == "P1M")
        subscription.processDue()
        #expect(subscription.periodPrice == 4_990)
        subscription.processDue()
        #expect(subscription.periodPrice == 9_990)
    }

    @Test func `an offer for another plan takes effect with the plan change`() throws {
        let offer = try Sample.offer(.promotional, .payAsYouGo, price: 990)
        var up = try Sample.subscription()
        let upgraded = up.handle(.purchase(SubscriptionPurchase(try Sample.gold(), offer: offer)), at: Sample.start.adding(days: 7))
        #expect(upgraded.notifications == [.offerRedeemed(.upgrade)])
        #expect(up.periodPrice == 990)

        var down = try Sample.subscription()
        let downgraded = down.handle(.purchase(SubscriptionPurchase(try Sample.bronze(), offer: offer)), at: Sample.start)
        #expect(downgraded == [.notify(.offerRedeemed(.downgrade), period: 1)])
        #expect(down.processDue().charges.map(\.price.milliunits) == [990])
        #expect(down.productID == "bronze")
        #expect(down.processDue().charges.map(\.price.milliunits) == [4_990])
    }

    /// Returns the subscription of a sample customer, or nil for a new customer.
    private static func customer(_ name: String) throws -> Subscription? {
        switch name {
        case "new": nil
        case "active": try SubscriptionStage.active.sample()
        case "retry": try SubscriptionStage.retry.sample()
        case "ended": try SubscriptionStage.expired.sample()
        case "tried": try Sample.subscription(offer: try Sample.offer(.introductory, .freeTrial))
        default: try Sample.subscription(ownership: .familyShared)
        }
    }

    @Test(arguments: [
        (OfferType.introductory, "new", OfferRefusal?.none), (.introductory, "active", nil),
        (.introductory, "tried", .introductoryOfferUsed),
        (.introductory, "member", nil), (.promotional, "new", .neverSubscribed), (.promotional, "active", nil),
        (.promotional, "ended", nil),
        (.promotional, "member", .neverSubscribed), (.winBack, "new", .neverSubscribed), (.winBack, "active", .subscribed),
        (.winBack, "retry", .subscribed), (.winBack, "ended", nil),
    ]) func `each offer type has its eligible customers`(_ kind: OfferType, _ customer: String, _ refusal: OfferRefusal?) throws {
        #expect(try Sample.offer(kind, .freeTrial).refusal(for: try Self.customer(customer)) == refusal)
    }

    @Test(arguments: OfferEligibility.allCases) func `an offer code is for the customers of its eligibility`(
        _ eligibility: OfferEligibility
    ) throws {
        let code = try Sample.offer(.code, .freeTrial, eligibility: [eligibility])
        #expect((code.refusal(for: nil) == nil) == (eligibility == .new))
        #expect((code.refusal(for: try Self.customer("active")) == nil) == (eligibility == .existing))
        #expect((code.refusal(for: try Self.customer("ended")) == nil) == (eligibility == .expired))
    }

    @Test func `a configured eligibility of a win-back offer replaces the eligibility rules`() throws {
        let ended = try Self.customer("ended")
        #expect(try Sample.offer(.winBack, .freeTrial, eligible: true).refusal(for: nil) == nil)
        #expect(try Sample.offer(.winBack, .freeTrial, eligible: false).refusal(for: ended) == .disabled)
        #expect(try Sample.offer(.code, .oneTime).refusal(for: nil) == .oneTimePurchaseOnly)
        let offers = [
            try Sample.offer(.winBack, .freeTrial, id: "first"), try Sample.offer(.winBack, .freeTrial, id: "off", eligible: false),
            try Sample.offer(.promotional, .freeTrial, id: "other"), try Sample.offer(.winBack, .freeTrial, id: "second", eligible: true),
        ]
        #expect(ended?.eligibleWinBackOfferIDs(among: offers) == ["first", "second"])
        #expect(try Self.customer("retry")?.eligibleWinBackOfferIDs(among: offers) == [])
    }
}
