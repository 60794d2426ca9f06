/// A product in the catalog of the developer's server.
public struct ServerProduct: Codable, Hashable, Sendable {
    /// The product's identifier.
    public var id: ProductID
    /// The credits that one unit of the product adds to the customer's balance; nil for a product without credits.
    public var credits: Int?
    /// The currency of ``credits``, such as `coins`; nil for `credits`.
    public var currency: CurrencyID?
    /// The entitlements that a purchase of the product gives; nil for one entitlement with the product's identifier as its name.
    public var entitlements: [EntitlementName]?
    /// The duration of a non-renewing subscription as an ISO 8601 duration with one unit, such as `P30D`; nil for access without an end.
    public var duration: BillingPeriod?
    /// The name of the product's file in the server's content folder; nil for a product without content.
    public var file: String?

    /// Creates a product.
    public init(
        id: ProductID, credits: Int? = nil, currency: CurrencyID? = nil, entitlements: [EntitlementName]? = nil,
        duration: BillingPeriod? = nil, file: String? = nil
    ) {
        self.id = id
        self.credits = credits
        self.currency = currency
        self.entitlements = entitlements
        self.duration = duration
        self.file = file
    }
}
