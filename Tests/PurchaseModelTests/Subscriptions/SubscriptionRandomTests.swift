import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionRandomTests {
    static func event(_ random: inout SeededRandom, _ subscription: Subscription) throws -> SubscriptionEvent {
        if Bool.random(using: &random) {
            return .due(cardWorks: Int.random(in: 0..<4, using: &random) > 0, forSale: Int.random(in: 0..<20, using: &random) > 0)
        }
        let period = Int.random(in: -1...1, using: &random) + subscription.period.number
        let plans = [
            try Sample.plan(), try Sample.gold(), try Sample.bronze(), try Sample.plan("yearly", "P1Y"), try Sample.plan("weekly", "P1W"),
        ]
        let plan = plans.randomElement(using: &random) ?? plans[0]
        let offers: [SubscriptionOffer?] = [
            nil, nil, try Sample.offer(.introductory, .freeTrial, "P3D"), try Sample.offer(.promotional, .payAsYouGo, count: 3, price: 990),
            try Sample.offer(.winBack, .payUpFront, "P6M", price: 1_990), try Sample.offer(.code, .freeTrial, stackable: true),
            try Sample.offer(.code, .payAsYouGo, count: .max, price: .max),
        ]
        let prices: [Int64] = [0, 5_000, 9_990, 20_000, .max, .min]
        let events: [SubscriptionEvent] = [
            .cardMended, .autoRenew(true), .autoRenew(true), .autoRenew(false), .priceConsent(Bool.random(using: &random)),
            .purchase(
                SubscriptionPurchase(
                    plan, offer: offers.randomElement(using: &random) ?? nil, followedBy: offers.randomElement(using: &random) ?? nil)),
            .purchase(SubscriptionPurchase(plan)),
            .priceChanged(
                of: plan.productID, to: Sample.money(prices.randomElement(using: &random) ?? 0), needsConsent: Bool.random(using: &random)),
            .refunded(period: period, prorated: Bool.random(using: &random)), .refundReversed(period: period),
            .refunded(period: .max), .refundReversed(period: .min), .sharingEnded,
            .extended(days: Int.random(in: -5...95, using: &random)), .extended(days: .max),
            .renewalForced(cardWorks: Bool.random(using: &random)), .expiryForced,
        ]
        return events.randomElement(using: &random) ?? .cardMended
    }

    static func time(_ random: inout SeededRandom, near subscription: Subscription, _ clock: inout Timestamp) -> Timestamp {
        switch Int.random(in: 0..<40, using: &random) {
        case 0: return Timestamp(milliseconds: .min)
        case 1: return clock.adding(days: -400)
        case 2...20:
            clock = max(clock, subscription.nextDue ?? clock)
            return clock
        default:
            clock = clock.adding(milliseconds: .random(in: 0...900_000_000, using: &random))
            return clock
        }
    }

    /// Whether an event may cut a period off; only a purchase and a tester may.
    private static func mayCut(_ event: SubscriptionEvent) -> Bool {
        switch event {
        case .purchase, .renewalForced, .expiryForced: true
        default: false
        }
    }

    @Test(arguments: UInt64(0)..<200) func `whatever happens in whatever order, the promises hold`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let pace = SubscriptionPace.allCases.randomElement(using: &random) ?? .realTime
        let limit = Bool.random(using: &random) ? 12 : nil
        let rules = SubscriptionRules(pace: pace, grantsGrace: Bool.random(using: &random), renewalLimit: limit)
        let ownership: Ownership = seed % 5 == 0 ? .familyShared : .purchased
        var subscription = try Sample.subscription(rules: rules, ownership: ownership)
        var clock = Sample.start
        for _ in 0..<120 {
            let before = subscription
            let event = try Self.event(&random, subscription)
            let now = Self.time(&random, near: subscription, &clock)
            let actions = subscription.handle(event, at: now)

            // Each period is charged once, in order, and none before the one before it has ended.
            let charges = actions.charges
            #expect(charges.count <= 1)
            #expect(subscription.period.number == before.period.number + charges.count)
            for period in charges {
                #expect(period == subscription.period)
                #expect(period.start < period.end)
                #expect(period.start >= (Self.mayCut(event) ? before.period.start : before.paidUntil))
                if case .expired = before.state {
                    #expect(period.start >= before.paidUntil)
                }
                #expect(ownership == .purchased || period.price.milliunits == 0)
            }
            if !Self.mayCut(event) {
                #expect(subscription.paidUntil >= before.paidUntil)
            }
            // What was taken back comes back by a purchase or by a reversal only.
            if before.state == .revoked, subscription.state != .revoked {
                switch event {
                case .purchase, .refundReversed: break
                default: Issue.record("\(event) brought a revoked subscription back")
                }
            }
            // What is due comes first, and time goes on with it.
            if case .overdue = actions.first {
                #expect(subscription == before)
            }
            if case .due = event, let due = before.nextDue, due <= now {
                #expect(subscription.nextDue.map { $0 > due } ?? true)
                #expect(!actions.isEmpty)
            }
            #expect((subscription.nextDue == nil) == subscription.hasEnded)
            if case .gracePeriod(let until, let retryUntil) = subscription.state {
                #expect(subscription.paidUntil < until && until <= retryUntil)
            }
            _ = subscription.renewalInfo(environment: .sandbox, signedDate: now)
        }
        #expect(try WireJSON.decode(Subscription.self, from: try WireJSON.encode(subscription)) == subscription)
    }

    @Test(arguments: [Int64.min, .min + 1, -1, 0, .max - 1, .max]) func `the ends of time trap nowhere`(_ milliseconds: Int64) throws {
        for pace in SubscriptionPace.allCases {
            let purchase = SubscriptionPurchase(try Sample.plan())
            var subscription = Subscription.begin(
                originalTransactionID: "1", purchase: purchase, at: Timestamp(milliseconds: milliseconds),
                rules: SubscriptionRules(pace: pace, graceDays: .max, retryDays: .max)
            ).subscription
            for happening in SubscriptionHappening.allCases {
                for time in [Int64.min, 0, .max] {
                    _ = subscription.handle(try happening.event(), at: Timestamp(milliseconds: time))
                }
            }
        }
    }
}
