/// The part of a transaction that only Advanced Commerce transactions have.
public struct AdvancedCommerceTransactionInfo: Codable, Hashable, Sendable {
    /// The description and the display name of the subscription.
    public var descriptors: AdvancedCommerceDescriptors?
    /// The store's estimate of the tax on the purchase, in thousandths of the currency unit.
    public var estimatedTax: Int64?
    /// The purchased items.
    public var items: [AdvancedCommerceTransactionItem]?
    /// The duration of a subscription period, as an ISO 8601 duration.
    public var period: String?
    /// The developer's identifier of the Advanced Commerce request, a UUID.
    public var requestReferenceId: String?
    /// The tax code of the purchase.
    public var taxCode: String?
    /// The price of the purchase without tax, in thousandths of the currency unit.
    public var taxExclusivePrice: Int64?
    /// The tax rate of the purchase, as decimal text.
    public var taxRate: String?

    /// Creates transaction information without values.
    public init() {}
}
