import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionTests {
    /// A state, and how a monthly subscription gets there.
    enum Stage: String, CaseIterable, Sendable {
        case active, cancelled, grace, retry, expired, revoked
    }

    /// What happens, late enough to have an effect where it can have one.
    enum Happening: String, CaseIterable, Sendable {
        case dueWithCard, dueWithoutCard, mended, switchedOff, switchedOn, refunded
    }

    private static let start = Timestamp.testStart
    private static let firstEnd = Timestamp.testStart.adding(days: 28)

    private static func subscription(grantsGrace: Bool = true, period: BillingPeriod.Unit = .month) throws -> Subscription {
        Subscription(
            originalTransactionID: "1", productID: "magazine", period: try #require(BillingPeriod(1, period)), start: start,
            grantsGrace: grantsGrace
        )
    }

    private static func at(_ stage: Stage) throws -> Subscription {
        var subscription = try subscription()
        switch stage {
        case .active:
            break
        case .cancelled:
            _ = subscription.handle(.autoRenew(false), at: start)
        case .grace:
            _ = subscription.handle(.due(cardWorks: false), at: firstEnd)
        case .retry:
            _ = subscription.handle(.due(cardWorks: false), at: firstEnd)
            _ = subscription.handle(.due(cardWorks: false), at: firstEnd.adding(days: 16))
        case .expired:
            _ = subscription.handle(.autoRenew(false), at: start)
            _ = subscription.handle(.due(cardWorks: true), at: firstEnd)
        case .revoked:
            _ = subscription.handle(.refunded, at: start)
        }
        return subscription
    }

    private static func event(_ happening: Happening) -> SubscriptionEvent {
        switch happening {
        case .dueWithCard: .due(cardWorks: true)
        case .dueWithoutCard: .due(cardWorks: false)
        case .mended: .cardMended
        case .switchedOff: .autoRenew(false)
        case .switchedOn: .autoRenew(true)
        case .refunded: .refunded
        }
    }

    /// The status afterwards and what is announced; a pair that is not here changes nothing and announces nothing.
    private static let table: [Stage: [Happening: (status: Int, notice: SubscriptionNotice)]] = [
        .active: [
            .dueWithCard: (1, .renewed), .dueWithoutCard: (4, .failedToRenew(grace: true)), .switchedOff: (1, .autoRenewChanged(false)),
            .refunded: (5, .refunded),
        ],
        .cancelled: [
            .dueWithCard: (2, .expired(.customerCancelled)), .dueWithoutCard: (2, .expired(.customerCancelled)),
            .switchedOn: (1, .autoRenewChanged(true)), .refunded: (5, .refunded),
        ],
        .grace: [
            .dueWithCard: (3, .gracePeriodExpired), .dueWithoutCard: (3, .gracePeriodExpired), .mended: (1, .recovered),
            .refunded: (5, .refunded),
        ],
        .retry: [
            .dueWithCard: (2, .expired(.billingError)), .dueWithoutCard: (2, .expired(.billingError)), .mended: (1, .recovered),
            .refunded: (5, .refunded),
        ],
        .expired: [.refunded: (5, .refunded)],
        .revoked: [:],
    ]

    @Test(arguments: Stage.allCases, Happening.allCases)
    func `each event has its one effect in each state`(_ stage: Stage, _ happening: Happening) throws {
        let before = try Self.at(stage)
        var subscription = before
        let actions = subscription.handle(Self.event(happening), at: before.nextDue ?? Self.firstEnd)
        guard let expected = Self.table[stage]?[happening] else {
            #expect(actions.isEmpty)
            #expect(subscription == before)
            return
        }
        #expect(subscription.status == expected.status)
        #expect(actions.last == .notify(expected.notice))
        // Only a subscription that goes on is charged.
        #expect(actions.count == (expected.notice == .renewed || expected.notice == .recovered ? 2 : 1))
    }

    @Test(arguments: Stage.allCases)
    func `nothing happens before its time`(_ stage: Stage) throws {
        let before = try Self.at(stage)
        guard let due = before.nextDue else { return }
        var subscription = before
        #expect(subscription.handle(.due(cardWorks: true), at: due.adding(milliseconds: -1)).isEmpty)
        #expect(subscription == before)
    }

    @Test func `renewals keep the cycle even when they are handled late`() throws {
        var subscription = try Self.subscription()
        let actions = subscription.handle(.due(cardWorks: true), at: Self.firstEnd.adding(days: 5))
        #expect(actions == [.charge(from: Self.firstEnd, until: subscription.paidUntil), .notify(.renewed)])
        #expect(subscription.paidUntil == Self.firstEnd.adding(days: 28))
    }

    @Test func `recovery in grace keeps the cycle, recovery later starts a new one`() throws {
        var inGrace = try Self.at(.grace)
        let early = inGrace.handle(.cardMended, at: Self.firstEnd.adding(days: 10))
        #expect(early.first == .charge(from: Self.firstEnd, until: Self.firstEnd.adding(days: 28)))

        var inRetry = try Self.at(.retry)
        let late = inRetry.handle(.cardMended, at: Self.firstEnd.adding(days: 20))
        #expect(late.first == .charge(from: Self.firstEnd.adding(days: 20), until: inRetry.paidUntil))
        #expect(inRetry.paidUntil > Self.firstEnd.adding(days: 45))
    }

    @Test func `grace lasts six days for a weekly subscription and sixteen for others`() throws {
        var weekly = try Self.subscription(period: .week)
        _ = weekly.handle(.due(cardWorks: false), at: Self.start.adding(days: 7))
        #expect(weekly.nextDue == Self.start.adding(days: 13))
        #expect(try Self.at(.grace).nextDue == Self.firstEnd.adding(days: 16))
    }

    @Test func `without grace a failed renewal ends access at once, and the store tries for sixty days`() throws {
        var subscription = try Self.subscription(grantsGrace: false)
        #expect(subscription.handle(.due(cardWorks: false), at: Self.firstEnd) == [.notify(.failedToRenew(grace: false))])
        #expect(subscription.status == 3)
        #expect(subscription.nextDue == Self.firstEnd.adding(days: 60))
    }
}
