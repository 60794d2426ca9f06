/// A subscription product in one customer's storefront, with its price and its duration.
public struct SubscriptionPlan: Hashable, Sendable {
    /// The product identifier.
    public var productID: ProductID
    /// The level of service in the subscription group; 1 is the highest.
    public var level: Int
    /// The duration of one paid period.
    public var period: BillingPeriod
    /// The price of one period without an offer.
    public var price: Money

    /// Creates a plan.
    public init(productID: ProductID, level: Int, period: BillingPeriod, price: Money) {
        self.productID = productID
        self.level = level
        self.period = period
        self.price = price
    }
}

/// A customer's purchase of a subscription product, with an optional offer.
public struct SubscriptionPurchase: Hashable, Sendable {
    /// The purchased plan, at its regular price in the customer's storefront.
    public var plan: SubscriptionPlan
    /// The offer that begins with the purchase; nil at the regular price.
    ///
    /// The caller checks the customer's eligibility with ``SubscriptionOffer/refusal(for:)``.
    public var offer: SubscriptionOffer?
    /// The offer that begins after ``offer`` ends: an offer code that can be combined with the introductory offer; nil for none.
    public var followingOffer: SubscriptionOffer?

    /// Creates a purchase.
    public init(_ plan: SubscriptionPlan, offer: SubscriptionOffer? = nil, followedBy followingOffer: SubscriptionOffer? = nil) {
        self.plan = plan
        self.offer = offer
        self.followingOffer = followingOffer
    }
}
