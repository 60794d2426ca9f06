package import PurchaseModel
import Testing

/// Plans, offers and subscriptions for tests of the subscription state machine.
package enum Sample {
    package static let start = Timestamp.testStart
    /// The end of the first monthly period, February 28.
    package static let firstEnd = Timestamp.testStart.adding(days: 28)
    /// The end of the second monthly period, March 31.
    package static let secondEnd = Timestamp.testStart.adding(days: 59)

    package static func period(_ text: String) throws -> BillingPeriod {
        try #require(BillingPeriod(iso8601: text))
    }

    package static func money(_ milliunits: Int64) -> Money {
        Money(milliunits: milliunits, currency: "USD")
    }

    /// A plan; by default, level 2 at 9.99 a month.
    package static func plan(_ id: ProductID = "silver", level: Int = 2, _ length: String = "P1M", _ price: Int64 = 9_990) throws
        -> SubscriptionPlan
    {
        SubscriptionPlan(productID: id, level: level, period: try period(length), price: money(price))
    }

    package static func gold() throws -> SubscriptionPlan { try plan("gold", level: 1, "P1M", 19_990) }
    /// A plan in seats: 12.00 each, and 9.00 from the fourth seat on.
    package static func team() throws -> SubscriptionPlan {
        var plan = try plan("team", level: 2, "P1M", 12_000)
        plan.seatPricing = SeatPricing([
            SeatPricing.Tier(minimumSeats: 1, price: money(12_000)), SeatPricing.Tier(minimumSeats: 4, price: money(9_000)),
        ])
        return plan
    }

    package static func bronze() throws -> SubscriptionPlan { try plan("bronze", level: 3, "P1M", 4_990) }

    package static func offer(
        _ kind: OfferType, _ mode: OfferDiscountType, _ length: String = "P1M", count: Int = 1, price: Int64 = 0, id: String? = "spring",
        eligibility: Set<OfferEligibility> = [], stackable: Bool = false, eligible: Bool? = nil
    ) throws -> SubscriptionOffer {
        SubscriptionOffer(
            kind: kind, id: kind == .introductory ? nil : id, mode: mode, period: try period(length), periodCount: count,
            price: money(price), eligibility: eligibility, isStackable: stackable, isEligible: eligible)
    }

    package static func subscription(
        _ plan: SubscriptionPlan? = nil, offer: SubscriptionOffer? = nil, then following: SubscriptionOffer? = nil,
        rules: SubscriptionRules = SubscriptionRules(), ownership: Ownership = .purchased
    ) throws -> Subscription {
        let purchase = SubscriptionPurchase(try plan ?? Self.plan(), offer: offer, followedBy: following)
        return Subscription.begin(originalTransactionID: "1", purchase: purchase, at: start, rules: rules, ownership: ownership)
            .subscription
    }
}

extension Subscription {
    /// Processes the due event at ``nextRenewalDate``; without a renewal date, has no effect.
    @discardableResult
    package mutating func processDue(hasValidPaymentMethod: Bool = true, isProductAvailable: Bool = true) -> [SubscriptionAction] {
        guard let due = nextRenewalDate else { return [] }
        return handle(.due(hasValidPaymentMethod: hasValidPaymentMethod, isProductAvailable: isProductAvailable), at: due)
    }

    /// The price of the current period, in milliunits.
    package var periodPrice: Int64 { period.price.milliunits }
}

extension [SubscriptionAction] {
    /// The notices among the actions.
    package var notifications: [SubscriptionNotice] {
        compactMap { action in
            if case .notify(let notice, _) = action { notice } else { nil }
        }
    }

    /// The periods charged among the actions.
    package var charges: [SubscriptionPeriod] {
        compactMap { action in
            if case .charge(let period) = action { period } else { nil }
        }
    }

    /// The names of the actions, separated by spaces; notices have their type and subtype of the wire format.
    package var summary: String {
        map { action in
            switch action {
            case .charge: "charge"
            case .addSeats: "addSeats"
            case .markUpgraded: "markUpgraded"
            case .revokeForBundle: "revokeForBundle"
            case .revoke: "revoke"
            case .reinstate: "reinstate"
            case .setExpirationDate: "setExpirationDate"
            case .overdue: "overdue"
            case .notify(let notice, _): notice.wire.type + (notice.wire.subtype.map { "/" + $0 } ?? "")
            }
        }
        .joined(separator: " ")
    }
}

/// Random events and times for subscriptions.
package enum RandomSubscription {
    package static func event(_ random: inout SeededRandom, _ subscription: Subscription) throws -> SubscriptionEvent {
        if Bool.random(using: &random) {
            return .due(
                hasValidPaymentMethod: Int.random(in: 0..<4, using: &random) > 0,
                isProductAvailable: Int.random(in: 0..<20, using: &random) > 0)
        }
        let period = Int.random(in: -1...1, using: &random) + subscription.period.number
        let plans = [
            try Sample.plan(), try Sample.gold(), try Sample.bronze(), try Sample.plan("yearly", "P1Y"), try Sample.plan("weekly", "P1W"),
            try Sample.team(),
        ]
        let plan = plans.randomElement(using: &random) ?? plans[0]
        let offers: [SubscriptionOffer?] = [
            nil, nil, try Sample.offer(.introductory, .freeTrial, "P3D"), try Sample.offer(.promotional, .payAsYouGo, count: 3, price: 990),
            try Sample.offer(.winBack, .payUpFront, "P6M", price: 1_990), try Sample.offer(.code, .freeTrial, stackable: true),
            try Sample.offer(.code, .payAsYouGo, count: .max, price: .max),
        ]
        let prices: [Int64] = [0, 5_000, 9_990, 20_000, .max, .min]
        let events: [SubscriptionEvent] = [
            .billingIssueResolved, .autoRenew(true), .autoRenew(true), .autoRenew(false), .priceConsent(Bool.random(using: &random)),
            .purchase(
                SubscriptionPurchase(
                    plan, offer: offers.randomElement(using: &random) ?? nil, followedBy: offers.randomElement(using: &random) ?? nil)),
            .purchase(SubscriptionPurchase(plan)),
            .purchase(SubscriptionPurchase(plan, seats: Int.random(in: 1...12, using: &random))),
            .seatsAtRenewal(Int.random(in: -1...9, using: &random)), .seatsAtRenewal(.max),
            .seatsRefunded(Int.random(in: -1...6, using: &random)), .seatsRefunded(.max),
            .seatRefundReversed(Int.random(in: -1...6, using: &random)), .seatRefundReversed(.min),
            .priceChanged(
                of: plan.productID, to: Sample.money(prices.randomElement(using: &random) ?? 0),
                requiresConsent: Bool.random(using: &random)),
            .refunded(period: period, percentage: Bool.random(using: &random) ? Int.random(in: 1...100_000, using: &random) : nil),
            .refundReversed(period: period),
            .bundled(SubscriptionBundle(productID: "all", groupID: "9", originalTransactionID: "900")),
            .unbundled([.renewsAlone, .expires, nil][Int.random(in: 0..<3, using: &random)]), .refunded(period: .max),
            .refundReversed(period: .min), .sharingEnded,
            .extended(days: Int.random(in: -5...95, using: &random)), .extended(days: .max),
            .renewalForced(hasValidPaymentMethod: Bool.random(using: &random)), .expiryForced,
            .renewalChargedAhead(hasValidPaymentMethod: Bool.random(using: &random)),
        ]
        return events.randomElement(using: &random) ?? .billingIssueResolved
    }

    /// A time before a period at which the store charges its renewal, in seconds; nil in half of the cases.
    package static func chargeAhead(_ random: inout SeededRandom) -> Int64? {
        let times: [Int64?] = [nil, nil, nil, 5, 3_600, SubscriptionRules.maximumChargeAhead]
        return times.randomElement(using: &random) ?? nil
    }

    package static func time(_ random: inout SeededRandom, near subscription: Subscription, _ clock: inout Timestamp) -> Timestamp {
        switch Int.random(in: 0..<40, using: &random) {
        case 0: return Timestamp(milliseconds: .min)
        case 1: return clock.adding(days: -400)
        case 2...20:
            clock = max(clock, subscription.nextRenewalDate ?? clock)
            return clock
        default:
            clock = clock.adding(milliseconds: .random(in: 0...900_000_000, using: &random))
            return clock
        }
    }
}
