public import PurchaseModel

/// A billing plan of a subscription in addition to its price, such as monthly payments with a commitment of one year.
public struct CatalogBillingPlan: Codable, Hashable, Sendable {
    /// The type of the billing plan.
    public var type: BillingPlanType
    /// The price of one payment of the plan.
    public var price: Money
    /// The total price of the commitment; nil if the file does not state the price.
    public var commitmentPrice: Money?
    /// Whether the plan is available for purchase.
    public var isEnabled: Bool

    /// Creates a billing plan.
    public init(type: BillingPlanType, price: Money, commitmentPrice: Money? = nil, isEnabled: Bool = true) {
        self.type = type
        self.price = price
        self.commitmentPrice = commitmentPrice
        self.isEnabled = isEnabled
    }
}
