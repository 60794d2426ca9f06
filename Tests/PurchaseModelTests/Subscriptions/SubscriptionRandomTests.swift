import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionRandomTests {
    /// Whether an event may end a period early: a purchase, a forced renewal or a forced expiration.
    private static func mayEndPeriodEarly(_ event: SubscriptionEvent) -> Bool {
        switch event {
        case .purchase, .renewalForced, .expiryForced, .bundled: true
        default: false
        }
    }

    @Test(arguments: UInt64(0)..<200) func `random sequences of events keep the invariants`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let timeRate = SubscriptionTimeRate.allCases.randomElement(using: &random) ?? .realTime
        let limit = Bool.random(using: &random) ? 12 : nil
        var rules = SubscriptionRules(timeRate: timeRate, billingGracePeriodIsEnabled: Bool.random(using: &random), renewalLimit: limit)
        rules.chargeAhead = RandomSubscription.chargeAhead(&random)
        let ownership: Ownership = seed % 5 == 0 ? .familyShared : .purchased
        var subscription = try Sample.subscription(rules: rules, ownership: ownership)
        var clock = Sample.start
        for _ in 0..<120 {
            let before = subscription
            let event = try RandomSubscription.event(&random, subscription)
            let now = RandomSubscription.time(&random, near: subscription, &clock)
            let actions = subscription.handle(event, at: now)

            // Each period is charged once and in order. A period starts no earlier than the end of the preceding one, unless the
            // event may end a period early. A purchase replaces a renewal that was charged before its period begins.
            let charges = actions.charges
            let isAhead = before.isChargedAhead(at: max(now, before.handledUntil))
            let earliest = isAhead ? before.handledUntil.adding(seconds: -1) : before.period.start
            #expect(charges.count <= 1)
            #expect(subscription.period.number == before.period.number + charges.count)
            for period in charges {
                #expect(period == subscription.period)
                #expect(period.start < period.end)
                #expect(period.start >= (Self.mayEndPeriodEarly(event) ? earliest : before.paidUntil))
                if case .expired = before.state {
                    #expect(period.start >= before.paidUntil)
                }
                #expect(ownership == .purchased || period.price.milliunits == 0)
            }
            if !Self.mayEndPeriodEarly(event) {
                #expect(subscription.paidUntil >= before.paidUntil)
            }
            // Only a purchase or a reversed refund reactivates a revoked subscription.
            if before.state == .revoked, subscription.state != .revoked {
                switch event {
                case .purchase, .refundReversed: break
                default: Issue.record("\(event) reactivated a revoked subscription")
                }
            }
            // A due event must be handled first, and advances the next renewal date.
            if case .overdue = actions.first {
                #expect(subscription == before)
            }
            if case .due = event, let due = before.nextRenewalDate, due <= now {
                #expect(subscription.nextRenewalDate.map { $0 > due } ?? true)
                // A renewal that can't be charged ahead is attempted again at the end of the period.
                #expect(!actions.isEmpty || (due < before.paidUntil && before.state == .active))
            }
            #expect((subscription.nextRenewalDate == nil) == subscription.hasEnded)
            if case .gracePeriod(let until, let retryUntil) = subscription.state {
                #expect(subscription.paidUntil < until && until <= retryUntil)
            }
            _ = subscription.renewalInfo(environment: .sandbox, signedDate: now)
        }
    }

    @Test(arguments: [Int64.min, .min + 1, -1, 0, .max - 1, .max]) func `dates at the limits of the time range never trap`(
        _ milliseconds: Int64
    ) throws {
        for timeRate in SubscriptionTimeRate.allCases {
            let purchase = SubscriptionPurchase(try Sample.plan())
            var subscription = Subscription.begin(
                originalTransactionID: "1", purchase: purchase, at: Timestamp(milliseconds: milliseconds),
                rules: SubscriptionRules(timeRate: timeRate, billingGracePeriodDays: .max, billingRetryDays: .max)
            ).subscription
            for kind in SubscriptionEventKind.allCases {
                for time in [Int64.min, 0, .max] {
                    _ = subscription.handle(try kind.event(), at: Timestamp(milliseconds: time))
                }
            }
        }
    }
}
