/// What a transaction of Advanced Commerce says beyond others.
public struct AdvancedCommerceTransactionInfo: Codable, Hashable, Sendable {
    /// What the subscription calls itself.
    public var descriptors: AdvancedCommerceDescriptors?
    /// The tax as the store estimates it, in thousandths.
    public var estimatedTax: Int64?
    /// What was bought.
    public var items: [AdvancedCommerceTransactionItem]?
    /// How long a period is, as an ISO 8601 duration.
    public var period: String?
    /// The developer's identifier of the request, a UUID.
    public var requestReferenceId: String?
    /// How it is taxed.
    public var taxCode: String?
    /// The price without tax, in thousandths.
    public var taxExclusivePrice: Int64?
    /// The rate of tax, as decimal text.
    public var taxRate: String?

    /// Creates one that states nothing.
    public init() {}
}
