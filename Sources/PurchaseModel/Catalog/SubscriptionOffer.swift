/// A lower price for some periods of a subscription, as the catalog offers it.
public struct SubscriptionOffer: Codable, Hashable, Sendable {
    /// Which kind of offer.
    public var kind: OfferType
    /// The identifier that signed data carries; nil for introductory offers.
    ///
    /// For an offer code it is the reference name of the offer.
    public var id: String?
    /// How it is paid.
    public var mode: OfferDiscountType
    /// One billing period when paid as you go; the whole length of the offer otherwise.
    public var period: BillingPeriod
    /// How many periods it lasts; 1 unless paid as you go.
    public var periodCount: Int
    /// What one period costs when paid as you go, and the whole offer otherwise; 0 for a free trial.
    public var price: Money
    /// Whom an offer code is for; empty for other kinds.
    public var eligibility: Set<OfferEligibility>
    /// Whether an offer code may be combined with the introductory offer.
    public var isStackable: Bool
    /// The test switch of a win-back offer, which replaces the real rules of eligibility; nil where the file says nothing.
    public var isEligible: Bool?
    /// The billing plan that it belongs to; nil for the ordinary one.
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

    /// How long the offer lasts in all, as signed data writes it: `P3M` for three months paid month by month.
    public var totalPeriod: BillingPeriod {
        BillingPeriod(period.value * min(max(periodCount, 1), 366), period.unit) ?? period
    }
}
