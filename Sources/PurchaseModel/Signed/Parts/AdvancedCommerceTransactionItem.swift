/// An item that was bought through Advanced Commerce.
public struct AdvancedCommerceTransactionItem: Codable, Hashable, Sendable {
    /// The developer's own identifier of the item.
    public var SKU: String?
    /// What it is.
    public var description: String?
    /// Its name.
    public var displayName: String?
    /// The discount it was sold with.
    public var offer: AdvancedCommerceOffer?
    /// What it costs, in thousandths.
    public var price: Int64?
    /// What was paid back for it.
    public var refunds: [AdvancedCommerceRefund]?
    /// When it was taken back.
    public var revocationDate: Timestamp?

    /// Creates one that states nothing.
    public init() {}
}
