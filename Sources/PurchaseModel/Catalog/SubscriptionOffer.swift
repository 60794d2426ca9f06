/// An offer of the catalog: a lower price for a number of subscription periods.
public struct SubscriptionOffer: Codable, Hashable, Sendable {
    /// The kind of offer.
    public var kind: OfferType
    /// The identifier of the offer in signed transactions and renewal info; nil for introductory offers.
    ///
    /// For offer codes, the identifier is the reference name of the offer.
    public var id: String?
    /// The payment mode of the offer.
    public var mode: OfferDiscountType
    /// The duration of one billing period for a pay-as-you-go offer; the total duration of any other offer.
    public var period: BillingPeriod
    /// The number of periods of a pay-as-you-go offer; 1 for any other offer.
    public var periodCount: Int
    /// The price of one period for a pay-as-you-go offer, and of the whole offer otherwise; 0 for a free trial.
    public var price: Money
    /// The customers who are eligible for an offer code; empty for other kinds of offers.
    public var eligibility: Set<OfferEligibility>
    /// Whether an offer code can be combined with the introductory offer.
    public var isStackable: Bool
    /// Whether every customer is eligible for a win-back offer, or none, as a test setting; nil when the regular eligibility rules apply.
    public var isEligible: Bool?
    /// The billing plan that the offer belongs to; nil for the regular billing plan.
    public var billingPlan: BillingPlanType?

    /// Creates an offer.
    public init(
        kind: OfferType, id: String? = nil, mode: OfferDiscountType, period: BillingPeriod, periodCount: Int = 1, price: Money,
        eligibility: Set<OfferEligibility> = [], isStackable: Bool = false, isEligible: Bool? = nil, billingPlan: BillingPlanType? = nil
    ) {
        self.kind = kind
        self.id = id
        self.mode = mode
        self.period = period
        self.periodCount = periodCount
        self.price = price
        self.eligibility = eligibility
        self.isStackable = isStackable
        self.isEligible = isEligible
        self.billingPlan = billingPlan
    }

    /// The total duration of the offer, as in signed transactions: `P3M` for three months with a monthly payment.
    public var totalPeriod: BillingPeriod {
        BillingPeriod(period.value * min(max(periodCount, 1), 366), period.unit) ?? period
    }
}

/// A group of customers who can be eligible for an offer code.
public enum OfferEligibility: String, Codable, Hashable, Sendable, CaseIterable {
    /// Customers who never subscribed in the subscription group.
    case new
    /// Customers with an active subscription in the subscription group.
    case existing
    /// Customers whose subscription in the subscription group has expired.
    case expired
}
