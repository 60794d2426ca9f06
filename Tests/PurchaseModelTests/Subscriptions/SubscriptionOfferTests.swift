import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionOfferTests {
    @Test(arguments: [OfferType.introductory, .promotional, .code, .winBack])
    func `a free trial costs nothing, lasts its own time, and ends in the ordinary price`(_ kind: OfferType) throws {
        var subscription = try Sample.subscription(offer: try Sample.offer(kind, .freeTrial, "P1W"))
        #expect(subscription.paid == 0)
        #expect(subscription.period.offer?.offer.kind == kind)
        #expect(subscription.paidUntil == Sample.start.adding(days: 7))
        subscription.fall()
        #expect(subscription.paid == 9_990)
        #expect(subscription.period.offer == nil)
        #expect(subscription.period.reason == .renewal)
    }

    @Test func `pay as you go counts its periods down`() throws {
        var subscription = try Sample.subscription(offer: try Sample.offer(.introductory, .payAsYouGo, count: 3, price: 1_990))
        var paid = [subscription.paid]
        for _ in 0..<4 {
            subscription.fall()
            paid.append(subscription.paid)
        }
        #expect(paid == [1_990, 1_990, 1_990, 9_990, 9_990])
    }

    @Test func `pay up front is one charge for one long period`() throws {
        var subscription = try Sample.subscription(offer: try Sample.offer(.introductory, .payUpFront, "P3M", price: 14_990))
        #expect(subscription.paid == 14_990)
        #expect(subscription.paidUntil == (try Sample.period("P3M")).end(after: Sample.start))
        subscription.fall()
        #expect(subscription.paid == 9_990)
        #expect(subscription.paidUntil == (try Sample.period("P1M")).end(after: subscription.period.start))
    }

    @Test func `a code that may be combined follows the introductory offer`() throws {
        let intro = try Sample.offer(.introductory, .payAsYouGo, count: 2, price: 990)
        let code = try Sample.offer(.code, .payAsYouGo, price: 4_990, stackable: true)
        var subscription = try Sample.subscription(offer: intro, then: code)
        var paid = [subscription.paid]
        for _ in 0..<3 {
            subscription.fall()
            paid.append(subscription.paid)
        }
        #expect(paid == [990, 990, 4_990, 9_990])
    }

    @Test func `an offer redeemed while subscribed begins at the next renewal, and ends another`() throws {
        var subscription = try Sample.subscription(offer: try Sample.offer(.introductory, .payAsYouGo, count: 5, price: 990))
        let redeemed = try Sample.offer(.promotional, .payAsYouGo, price: 4_990)
        let actions = subscription.handle(.purchase(SubscriptionPurchase(try Sample.plan(), offer: redeemed)), at: Sample.start)
        #expect(actions == [.notify(.offerRedeemed(nil), period: 1)])
        #expect(subscription.paid == 990)
        let info = subscription.renewalInfo(environment: .sandbox, signedDate: Sample.start)
        #expect(info.renewalPrice == 4_990)
        #expect(info.offer == .promotional)
        #expect(info.offerIdentifier == "spring")
        #expect(info.offerPeriod == "P1M")
        subscription.fall()
        #expect(subscription.paid == 4_990)
        subscription.fall()
        #expect(subscription.paid == 9_990)
    }

    @Test func `an offer for another plan comes with the change`() throws {
        let offer = try Sample.offer(.promotional, .payAsYouGo, price: 990)
        var up = try Sample.subscription()
        let upgraded = up.handle(.purchase(SubscriptionPurchase(try Sample.gold(), offer: offer)), at: Sample.start.adding(days: 7))
        #expect(upgraded.notices == [.offerRedeemed(.upgrade)])
        #expect(up.paid == 990)

        var down = try Sample.subscription()
        let downgraded = down.handle(.purchase(SubscriptionPurchase(try Sample.bronze(), offer: offer)), at: Sample.start)
        #expect(downgraded == [.notify(.offerRedeemed(.downgrade), period: 1)])
        #expect(down.fall().charges.map(\.price.milliunits) == [990])
        #expect(down.productID == "bronze")
        #expect(down.fall().charges.map(\.price.milliunits) == [4_990])
    }

    /// Who asks: nobody's subscription, one that lasts, in retry, ended, or a member's copy.
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
        (OfferType.introductory, "new", OfferRefusal?.none), (.introductory, "active", nil), (.introductory, "tried", .introductoryUsed),
        (.introductory, "member", nil), (.promotional, "new", .neverSubscribed), (.promotional, "active", nil),
        (.promotional, "ended", nil),
        (.promotional, "member", .neverSubscribed), (.winBack, "new", .neverSubscribed), (.winBack, "active", .subscribed),
        (.winBack, "retry", .subscribed), (.winBack, "ended", nil),
    ]) func `each kind of offer is for its customers`(_ kind: OfferType, _ customer: String, _ refusal: OfferRefusal?) throws {
        #expect(try Sample.offer(kind, .freeTrial).refusal(for: try Self.customer(customer)) == refusal)
    }

    @Test(arguments: OfferEligibility.allCases) func `a code is for whom it says`(_ eligibility: OfferEligibility) throws {
        let code = try Sample.offer(.code, .freeTrial, eligibility: [eligibility])
        #expect((code.refusal(for: nil) == nil) == (eligibility == .new))
        #expect((code.refusal(for: try Self.customer("active")) == nil) == (eligibility == .existing))
        #expect((code.refusal(for: try Self.customer("ended")) == nil) == (eligibility == .expired))
    }

    @Test func `the test switch of a win-back offer replaces its rules`() throws {
        let ended = try Self.customer("ended")
        #expect(try Sample.offer(.winBack, .freeTrial, eligible: true).refusal(for: nil) == nil)
        #expect(try Sample.offer(.winBack, .freeTrial, eligible: false).refusal(for: ended) == .switchedOff)
        #expect(try Sample.offer(.code, .oneTime).refusal(for: nil) == .notForSubscriptions)
        let offers = [
            try Sample.offer(.winBack, .freeTrial, id: "first"), try Sample.offer(.winBack, .freeTrial, id: "off", eligible: false),
            try Sample.offer(.promotional, .freeTrial, id: "other"), try Sample.offer(.winBack, .freeTrial, id: "second", eligible: true),
        ]
        #expect(ended?.eligibleWinBackOfferIDs(among: offers) == ["first", "second"])
        #expect(try Self.customer("retry")?.eligibleWinBackOfferIDs(among: offers) == [])
    }
}
