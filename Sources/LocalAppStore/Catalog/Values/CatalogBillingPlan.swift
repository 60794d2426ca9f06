public import PurchaseModel

/// Another way of paying for a subscription: a year's commitment, month by month.
public struct CatalogBillingPlan: Codable, Hashable, Sendable {
    /// How it is charged for.
    public var type: BillingPlanType
    /// What one charge costs.
    public var price: Money
    /// What the whole commitment costs; nil where the file says nothing.
    public var commitmentPrice: Money?
    /// Whether it can be bought.
    public var isEnabled: Bool

    /// Creates a plan.
    public init(type: BillingPlanType, price: Money, commitmentPrice: Money? = nil, isEnabled: Bool = true) {
        self.type = type
        self.price = price
        self.commitmentPrice = commitmentPrice
        self.isEnabled = isEnabled
    }
}
