import PurchaseModel
import PurchaseTestSupport
import Testing

/// Tests of the subscription of a family member who did not purchase it.
@Suite struct SubscriptionSharingTests {
    /// Returns an event of the purchaser's subscription with the period number of the shared subscription, or nil when the shared
    /// subscription has no such period.
    private static func familyEvent(_ event: SubscriptionEvent, _ shared: Subscription, _ original: Subscription) -> SubscriptionEvent? {
        func familyPeriod(_ number: Int) -> Int? {
            let (period, overflow) = number.subtractingReportingOverflow(original.period.number - shared.period.number)
            return overflow || period < 1 ? nil : period
        }
        switch event {
        case .refunded(let number, let percentage): return familyPeriod(number).map { .refunded(period: $0, percentage: percentage) }
        case .refundReversed(let number): return familyPeriod(number).map { .refundReversed(period: $0) }
        default: return event
        }
    }

    @Test(arguments: UInt64(0)..<100)
    func `a shared subscription has the state of the purchaser's subscription after every event`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var rules = SubscriptionRules(
            billingGracePeriodIsEnabled: Bool.random(using: &random), renewalLimit: Bool.random(using: &random) ? 12 : nil)
        rules.chargeAhead = RandomSubscription.chargeAhead(&random)
        let offers: [SubscriptionOffer?] = [
            nil, try Sample.offer(.introductory, .freeTrial, "P1W"), try Sample.offer(.introductory, .payUpFront, "P6M", price: 1_990),
            try Sample.offer(.introductory, .payAsYouGo, count: 3, price: 990),
        ]
        var original = try Sample.subscription(offer: offers.randomElement(using: &random) ?? nil, rules: rules)
        var clock = Sample.start
        for _ in 0..<Int.random(in: 0..<30, using: &random) {
            let event = try RandomSubscription.event(&random, original)
            _ = original.handle(event, at: RandomSubscription.time(&random, near: original, &clock))
        }
        let created = original.sharedEntitlement(originalTransactionID: "2", appTransactionID: "b")
        var shared = created.subscription
        #expect(created.actions.notifications == [.subscribed] && created.actions.charges.isEmpty)
        #expect(shared.ownership == .familyShared && shared.originalTransactionID == "2" && shared.appTransactionID == "b")
        #expect(shared.period.number == 1 && shared.periodPrice == 0)
        for _ in 0..<60 {
            #expect(
                shared.state == original.state && shared.nextRenewalDate == original.nextRenewalDate
                    && shared.paidUntil == original.paidUntil)
            #expect(shared.period.start == original.period.start && shared.period.end == original.period.end)
            #expect(shared.period.plan == original.period.plan && shared.period.offer == original.period.offer)
            #expect(
                shared.nextPlan == original.nextPlan && shared.nextOffer == original.nextOffer && shared.autoRenews == original.autoRenews)
            let event = try RandomSubscription.event(&random, original)
            if event == .sharingEnded { continue }
            let now = RandomSubscription.time(&random, near: original, &clock)
            let sharedEvent = Self.familyEvent(event, shared, original)
            let charges = original.handle(event, at: now).charges
            let sharedCharges = sharedEvent.map { shared.handle($0, at: now).charges } ?? []
            #expect(sharedCharges.map(\.start) == charges.map(\.start) && sharedCharges.allSatisfy { $0.price.milliunits == 0 })
        }
    }

    @Test(arguments: UInt64(0)..<20)
    func `a shared subscription ignores the purchaser's events after sharing ended`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var original = try Sample.subscription(rules: SubscriptionRules())
        var shared = original.sharedEntitlement(originalTransactionID: "2", appTransactionID: "b").subscription
        #expect(shared.handle(.sharingEnded, at: Sample.start).notifications == [.revoked])
        let ended = shared
        var clock = Sample.start
        for _ in 0..<60 {
            let event = try RandomSubscription.event(&random, original)
            let now = RandomSubscription.time(&random, near: original, &clock)
            _ = original.handle(event, at: now)
            #expect(shared.handle(event, at: now).isEmpty)
        }
        #expect(shared == ended)
    }
}
