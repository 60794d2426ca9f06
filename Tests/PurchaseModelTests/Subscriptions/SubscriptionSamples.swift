import PurchaseModel
import PurchaseTestSupport
import Testing

/// The plans, offers and subscriptions that the tests of the machine are about.
enum Sample {
    static let start = Timestamp.testStart
    /// 31 January and a month.
    static let firstEnd = Timestamp.testStart.adding(days: 28)
    /// 28 February and a month.
    static let secondEnd = Timestamp.testStart.adding(days: 56)

    static func period(_ text: String) throws -> BillingPeriod {
        try #require(BillingPeriod(iso8601: text))
    }

    static func money(_ milliunits: Int64) -> Money {
        Money(milliunits: milliunits, currency: "USD")
    }

    /// Level 2 at 9.99 a month, unless told otherwise.
    static func plan(_ id: ProductID = "silver", level: Int = 2, _ length: String = "P1M", _ price: Int64 = 9_990) throws
        -> SubscriptionPlan
    {
        SubscriptionPlan(productID: id, level: level, period: try period(length), price: money(price))
    }

    static func gold() throws -> SubscriptionPlan { try plan("gold", level: 1, "P1M", 19_990) }
    static func bronze() throws -> SubscriptionPlan { try plan("bronze", level: 3, "P1M", 4_990) }

    static func offer(
        _ kind: OfferType, _ mode: OfferDiscountType, _ length: String = "P1M", count: Int = 1, price: Int64 = 0, id: String? = "spring",
        eligibility: Set<OfferEligibility> = [], stackable: Bool = false, eligible: Bool? = nil
    ) throws -> SubscriptionOffer {
        SubscriptionOffer(
            kind: kind, id: kind == .introductory ? nil : id, mode: mode, period: try period(length), periodCount: count,
            price: money(price), eligibility: eligibility, isStackable: stackable, isEligible: eligible)
    }

    static func subscription(
        _ plan: SubscriptionPlan? = nil, offer: SubscriptionOffer? = nil, then following: SubscriptionOffer? = nil,
        rules: SubscriptionRules = SubscriptionRules(), ownership: Ownership = .purchased
    ) throws -> Subscription {
        let purchase = SubscriptionPurchase(try plan ?? Self.plan(), offer: offer, followedBy: following)
        return Subscription.begin(originalTransactionID: "1", purchase: purchase, at: start, rules: rules, ownership: ownership)
            .subscription
    }
}

extension Subscription {
    /// Sends what is due at the time it is due.
    @discardableResult
    mutating func fall(cardWorks: Bool = true, forSale: Bool = true) -> [SubscriptionAction] {
        guard let due = nextDue else { return [] }
        return handle(.due(cardWorks: cardWorks, forSale: forSale), at: due)
    }

    /// What its period's transaction would say.
    var paid: Int64 { period.price.milliunits }
}

extension [SubscriptionAction] {
    /// The notices among the actions.
    var notices: [SubscriptionNotice] {
        compactMap { action in
            if case .notify(let notice, _) = action { notice } else { nil }
        }
    }

    /// The periods charged among the actions.
    var charges: [SubscriptionPeriod] {
        compactMap { action in
            if case .charge(let period) = action { period } else { nil }
        }
    }

    /// One word an action, notices as on the wire.
    var words: String {
        map { action in
            switch action {
            case .charge: "charge"
            case .markUpgraded: "markUpgraded"
            case .revoke: "revoke"
            case .reinstate: "reinstate"
            case .moveEnd: "moveEnd"
            case .overdue: "overdue"
            case .notify(let notice, _): notice.wire.type + (notice.wire.subtype.map { "/" + $0 } ?? "")
            }
        }
        .joined(separator: " ")
    }
}
