public import PurchaseModel

/// An additional billing plan of a subscription: a commitment of one year with monthly payments.
public struct CatalogBillingPlan: Codable, Hashable, Sendable {
    /// The type of the billing plan.
    public var type: BillingPlanType
    /// The price of one payment.
    public var price: Money
    /// The price of the whole commitment; nil if the file does not state a price.
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
