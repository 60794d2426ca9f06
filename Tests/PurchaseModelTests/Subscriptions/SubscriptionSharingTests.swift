import PurchaseModel
import PurchaseTestSupport
import Testing

/// A family member's copy of a subscription.
@Suite struct SubscriptionSharingTests {
    /// An event of the purchaser's as the copy gets it, whose periods have numbers of their own; nil when it has no such period.
    private static func own(_ event: SubscriptionEvent, _ copy: Subscription, _ original: Subscription) -> SubscriptionEvent? {
        func own(_ number: Int) -> Int? {
            let (own, overflow) = number.subtractingReportingOverflow(original.period.number - copy.period.number)
            return overflow || own < 1 ? nil : own
        }
        switch event {
        case .refunded(let number, let prorated): return own(number).map { .refunded(period: $0, prorated: prorated) }
        case .refundReversed(let number): return own(number).map { .refundReversed(period: $0) }
        default: return event
        }
    }

    @Test(arguments: UInt64(0)..<100)
    func `a copy stands where the purchaser's subscription stands, whenever it was given and whatever happens`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let rules = SubscriptionRules(grantsGrace: Bool.random(using: &random), renewalLimit: Bool.random(using: &random) ? 12 : nil)
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
        let given = original.copy(originalTransactionID: "2", appTransactionID: "b")
        var copy = given.subscription
        #expect(given.actions.notices == [.subscribed] && given.actions.charges.isEmpty)
        #expect(copy.ownership == .familyShared && copy.originalTransactionID == "2" && copy.appTransactionID == "b")
        #expect(copy.period.number == 1 && copy.paid == 0)
        for _ in 0..<60 {
            #expect(copy.state == original.state && copy.nextDue == original.nextDue && copy.paidUntil == original.paidUntil)
            #expect(copy.period.start == original.period.start && copy.period.end == original.period.end)
            #expect(copy.period.plan == original.period.plan && copy.period.offer == original.period.offer)
            #expect(copy.nextPlan == original.nextPlan && copy.nextOffer == original.nextOffer && copy.autoRenews == original.autoRenews)
            let event = try RandomSubscription.event(&random, original)
            if event == .sharingEnded { continue }
            let now = RandomSubscription.time(&random, near: original, &clock)
            let shared = Self.own(event, copy, original)
            let charges = original.handle(event, at: now).charges
            let copied = shared.map { copy.handle($0, at: now).charges } ?? []
            #expect(copied.map(\.start) == charges.map(\.start) && copied.allSatisfy { $0.price.milliunits == 0 })
        }
    }

    @Test(arguments: UInt64(0)..<20)
    func `no event of the purchaser reaches a copy after sharing ended`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var original = try Sample.subscription(rules: SubscriptionRules())
        var copy = original.copy(originalTransactionID: "2", appTransactionID: "b").subscription
        #expect(copy.handle(.sharingEnded, at: Sample.start).notices == [.revoked])
        let ended = copy
        var clock = Sample.start
        for _ in 0..<60 {
            let event = try RandomSubscription.event(&random, original)
            let now = RandomSubscription.time(&random, near: original, &clock)
            _ = original.handle(event, at: now)
            #expect(copy.handle(event, at: now).isEmpty)
        }
        #expect(copy == ended)
    }
}
