/// An offer in the catalog: a lower price for a number of periods of a subscription.
public struct SubscriptionOffer: Codable, Hashable, Sendable {
    /// The kind of offer.
    public var kind: OfferType
    /// The identifier in signed data; nil for introductory offers.
    ///
    /// The identifier of an offer code is the reference name of its offer.
    public var id: String?
    /// The payment mode.
    public var mode: OfferDiscountType
    /// The duration of one billing period for a pay-as-you-go offer; the total duration of any other offer.
    public var period: BillingPeriod
    /// The number of periods; 1 unless the offer is pay as you go.
    public var periodCount: Int
    /// The price of one period for a pay-as-you-go offer, and of the whole offer otherwise; 0 for a free trial.
    public var price: Money
    /// The customers who are eligible for an offer code; empty for other kinds of offers.
    public var eligibility: Set<OfferEligibility>
    /// Whether an offer code can be combined with the introductory offer.
    public var isStackable: Bool
    /// The test setting of a win-back offer, which replaces the regular eligibility rules; nil when the catalog file has no such setting.
    public var isEligible: Bool?
    /// The billing plan of the offer; nil for the regular billing plan.
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

    /// The total duration of the offer, as in signed data: `P3M` for three months with a monthly payment.
    public var totalPeriod: BillingPeriod {
        BillingPeriod(period.value * min(max(periodCount, 1), 366), period.unit) ?? period
    }
}
