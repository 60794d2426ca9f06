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
