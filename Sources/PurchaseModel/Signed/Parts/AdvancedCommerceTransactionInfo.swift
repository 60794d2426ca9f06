/// The additional transaction information of Advanced Commerce.
public struct AdvancedCommerceTransactionInfo: Codable, Hashable, Sendable {
    /// The description and the display name of the subscription.
    public var descriptors: AdvancedCommerceDescriptors?
    /// The store's estimate of the tax, in thousandths of the currency unit.
    public var estimatedTax: Int64?
    /// The purchased items.
    public var items: [AdvancedCommerceTransactionItem]?
    /// The duration of a period, as an ISO 8601 duration.
    public var period: String?
    /// The developer's identifier of the request, a UUID.
    public var requestReferenceId: String?
    /// The tax code.
    public var taxCode: String?
    /// The price without tax, in thousandths of the currency unit.
    public var taxExclusivePrice: Int64?
    /// The tax rate, as decimal text.
    public var taxRate: String?

    /// Creates transaction information without values.
    public init() {}
}
