/// A subscription product at the price of one customer's storefront: what a period of it costs, and how long it lasts.
public struct SubscriptionPlan: Hashable, Sendable {
    /// The product.
    public var productID: ProductID
    /// The level of service in the group; 1 is the highest.
    public var level: Int
    /// How long one paid period lasts.
    public var period: BillingPeriod
    /// What one period costs without an offer.
    public var price: Money

    /// Creates a plan.
    public init(productID: ProductID, level: Int, period: BillingPeriod, price: Money) {
        self.productID = productID
        self.level = level
        self.period = period
        self.price = price
    }
}
