import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionRandomTests {
    /// Whether an event may cut a period off; only a purchase and a tester may.
    private static func mayCut(_ event: SubscriptionEvent) -> Bool {
        switch event {
        case .purchase, .renewalForced, .expiryForced: true
        default: false
        }
    }

    @Test(arguments: UInt64(0)..<200) func `whatever happens in whatever order, the promises hold`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let pace = SubscriptionTimeRate.allCases.randomElement(using: &random) ?? .realTime
        let limit = Bool.random(using: &random) ? 12 : nil
        let rules = SubscriptionRules(pace: pace, grantsGrace: Bool.random(using: &random), renewalLimit: limit)
        let ownership: Ownership = seed % 5 == 0 ? .familyShared : .purchased
        var subscription = try Sample.subscription(rules: rules, ownership: ownership)
        var clock = Sample.start
        for _ in 0..<120 {
            let before = subscription
            let event = try RandomSubscription.event(&random, subscription)
            let now = RandomSubscription.time(&random, near: subscription, &clock)
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
    }

    @Test(arguments: [Int64.min, .min + 1, -1, 0, .max - 1, .max]) func `the ends of time trap nowhere`(_ milliseconds: Int64) throws {
        for pace in SubscriptionTimeRate.allCases {
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
