import PurchaseModel
import PurchaseTestSupport
import Testing

/// Tests of renewals that the store charges before their periods begin, as the App Store does.
@Suite struct SubscriptionChargeAheadTests {
    private static let ahead: Int64 = 6 * 3_600
    /// The date at which the renewal of the first period is charged.
    private static let chargeDate = Sample.firstEnd.adding(seconds: -ahead)
    private static let inWindow = Sample.firstEnd.adding(seconds: -3_600)

    private static func subscription(_ plan: SubscriptionPlan? = nil, timeRate: SubscriptionTimeRate = .realTime) throws -> Subscription {
        var rules = SubscriptionRules(timeRate: timeRate)
        rules.chargeAhead = ahead
        return try Sample.subscription(plan, rules: rules)
    }

    /// A subscription whose second period is charged and has not begun.
    private static func charged() throws -> Subscription {
        var subscription = try subscription()
        subscription.processDue()
        return subscription
    }

    @Test func `a renewal is charged ahead, and its period begins at the end of the running one`() throws {
        var subscription = try Self.subscription()
        #expect(subscription.nextRenewalDate == Self.chargeDate)
        let actions = subscription.processDue()
        #expect(actions.summary == "charge DID_RENEW")
        #expect(actions.charges.map(\.start) == [Sample.firstEnd] && actions.charges.map(\.end) == [Sample.secondEnd])
        #expect(subscription.isChargedAhead(at: Self.inWindow) && !subscription.isChargedAhead(at: Sample.firstEnd))
        // The next event is the charge of the third period.
        #expect(subscription.nextRenewalDate == Sample.secondEnd.adding(seconds: -Self.ahead))
        #expect(subscription.processDue().charges.map(\.start) == [Sample.secondEnd])
    }

    /// Events before the charge, and the date of the charge that follows: hours before the end of the period, or none.
    @Test(
        arguments: [
            ("none", 6, "silver"), ("declined", 0, "silver"), ("unavailable", 0, "silver"), ("consent", nil, nil), ("canceled", nil, nil),
            ("canceled and enabled in the window", 0, "silver"), ("downgraded", 6, "bronze"), ("lead set in the window", 0, "silver"),
            ("short period", 0, "silver"),
        ] as [(String, Int64?, ProductID?)])
    func `the next renewal is charged ahead or at the end of the period`(_ situation: String, _ hours: Int64?, _ product: ProductID?) throws
    {
        let isShort = situation == "short period"
        var subscription = try Self.subscription(timeRate: isShort ? .monthlyRenewalEveryHour : .realTime)
        let end = subscription.paidUntil
        switch situation {
        case "declined": #expect(subscription.processDue(hasValidPaymentMethod: false).isEmpty)
        case "unavailable": #expect(subscription.processDue(isProductAvailable: false).isEmpty)
        case "consent":
            _ = subscription.handle(.priceChanged(of: "silver", to: Sample.money(12_990), requiresConsent: true), at: Sample.start)
        case "canceled": _ = subscription.handle(.autoRenew(false), at: Sample.start)
        case "canceled and enabled in the window":
            _ = subscription.handle(.autoRenew(false), at: Sample.start)
            _ = subscription.handle(.autoRenew(true), at: Self.inWindow)
        case "downgraded": _ = subscription.handle(.purchase(SubscriptionPurchase(try Sample.bronze())), at: Sample.start)
        case "lead set in the window":
            subscription.setChargeAhead(nil, at: Sample.start)
            subscription.setChargeAhead(Self.ahead, at: Self.inWindow)
        default: break
        }
        var charges: [(date: Timestamp, period: SubscriptionPeriod)] = []
        while let due = subscription.nextRenewalDate, due <= end {
            charges += subscription.processDue().charges.map { (due, $0) }
        }
        #expect(charges.map(\.date) == (hours.map { [end.adding(seconds: -3_600 * $0)] } ?? []))
        #expect(charges.map(\.period.plan.productID) == [product].compactMap { $0 })
        #expect(charges.allSatisfy { $0.period.start == end })
    }

    @Test func `an extension moves the charge, and an extension after the charge moves the end of the charged period`() throws {
        var subscription = try Self.subscription()
        _ = subscription.handle(.extended(days: 10), at: Sample.start)
        #expect(subscription.nextRenewalDate == Self.chargeDate.adding(days: 10))
        let charges = subscription.processDue().charges
        #expect(charges.map(\.start) == [Sample.firstEnd.adding(days: 10)])
        let end = subscription.paidUntil
        let actions = subscription.handle(.extended(days: 5), at: Self.inWindow.adding(days: 10))
        #expect(actions.first == .setExpirationDate(period: 2, to: end.adding(days: 5)))
        #expect(subscription.processDue().charges.map(\.start) == [end.adding(days: 5)])
    }

    @Test func `an upgrade before the charged period begins replaces it at once and refunds it in full`() throws {
        var subscription = try Self.charged()
        let actions = subscription.handle(.purchase(SubscriptionPurchase(try Sample.gold())), at: Self.inWindow)
        #expect(actions.first == .markUpgraded(period: 2, refund: .prorated(100_000)))
        #expect(actions.charges.map(\.start) == [Self.inWindow] && actions.charges.map(\.number) == [3])
        #expect(subscription.productID == "gold" && subscription.paidUntil == Self.inWindow.adding(days: 28))
    }

    @Test func `a refund of a period that has not begun revokes the subscription when the period begins`() throws {
        var subscription = try Self.charged()
        #expect(subscription.handle(.refunded(period: 2), at: Self.inWindow).summary == "revoke REFUND")
        #expect(subscription.status == .active && !subscription.willAutoRenew && subscription.nextRenewalDate == Sample.firstEnd)
        #expect(subscription.handle(.refunded(period: 2), at: Self.inWindow).isEmpty)
        #expect(subscription.refusal(ofExtensionBy: 3, at: Self.inWindow) == .revoked)

        var reversed = subscription
        #expect(reversed.handle(.refundReversed(period: 2), at: Self.inWindow).summary == "reinstate REFUND_REVERSED")
        #expect(reversed.status == .active && reversed.willAutoRenew && reversed.paidUntil == Sample.secondEnd)

        var expired = subscription
        #expect(expired.handle(.expiryForced, at: Self.inWindow).summary == "setExpirationDate setExpirationDate")
        #expect(expired.status == .revoked)

        #expect(subscription.processDue().isEmpty)
        #expect(subscription.status == .revoked && subscription.nextRenewalDate == nil)
        #expect(subscription.handle(.refundReversed(period: 2), at: Sample.firstEnd).summary == "reinstate REFUND_REVERSED")
        #expect(subscription.status == .active)
    }

    @Test func `a forced expiration ends the running period now, and the customer can subscribe again at once`() throws {
        var subscription = try Self.charged()
        let actions = subscription.handle(.expiryForced, at: Self.inWindow)
        #expect(
            actions.prefix(2) == [.setExpirationDate(period: 1, to: Self.inWindow), .setExpirationDate(period: 2, to: Sample.firstEnd)])
        #expect(subscription.paidUntil == Self.inWindow)
        let again = subscription.handle(.purchase(SubscriptionPurchase(try Sample.plan())), at: Self.inWindow)
        #expect(again.charges.map(\.start) == [Self.inWindow])
    }

    @Test(
        arguments: [
            (24 * 3_600, true), (24 * 3_600 + 1, false), (1, true), (0, false),
        ] as [(Int64, Bool)]) func `a renewal can be charged in the last 24 hours of a period`(_ seconds: Int64, _ isPossible: Bool) throws
    {
        let subscription = try Sample.subscription()
        #expect(subscription.canChargeAhead(at: Sample.firstEnd.adding(seconds: -seconds)) == isPossible)
    }

    @Test func `a family member loses both periods when sharing ends before the charged period begins`() throws {
        let created = try Self.charged().sharedEntitlement(originalTransactionID: "2", appTransactionID: nil, periodNumber: 2)
        var shared = created.subscription
        #expect(
            shared.handle(.sharingEnded, at: Self.inWindow) == [
                .revoke(period: 1, .family), .revoke(period: 2, .family), .notify(.revoked, period: 1), .notify(.revoked, period: 2),
            ])
        #expect(shared.status == .revoked)
    }

    @Test func `the end of sharing after a refund of the charged period is notified about the running period`() throws {
        let created = try Self.charged().sharedEntitlement(originalTransactionID: "2", appTransactionID: nil, periodNumber: 2)
        var shared = created.subscription
        _ = shared.handle(.refunded(period: 2), at: Self.inWindow)
        #expect(
            shared.handle(.sharingEnded, at: Self.inWindow) == [.revoke(period: 1, .family), .notify(.revoked, period: 1)])
    }

    @Test func `a history whose newest period was charged ahead continues before and after its start`() throws {
        var history = SubscriptionHistory(
            originalTransactionID: "1", plan: try Sample.plan(), periods: 2, price: Sample.money(9_990), reason: .renewal,
            start: Sample.firstEnd, end: Sample.secondEnd, firstStart: Sample.start, signedDate: Self.chargeDate)
        let subscription = Subscription(continuing: history)
        #expect(subscription.isChargedAhead(at: Self.inWindow) && subscription.nextRenewalDate == Sample.secondEnd)
        var upgraded = subscription
        let charges = upgraded.handle(.purchase(SubscriptionPurchase(try Sample.gold())), at: Self.inWindow).charges
        #expect(charges.map(\.start) == [Self.inWindow])
        // The billing cycle of January 31 continues.
        var renewed = subscription
        #expect(renewed.processDue().charges.map(\.end) == [Sample.secondEnd.adding(days: 30)])
        history.signedDate = Timestamp(milliseconds: 0)
        #expect(Subscription(continuing: history).isChargedAhead(at: Self.chargeDate))
    }
}
