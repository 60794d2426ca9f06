/// An item that will renew through Advanced Commerce.
public struct AdvancedCommerceRenewalItem: Codable, Hashable, Sendable {
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
    /// A higher price to come.
    public var priceIncreaseInfo: AdvancedCommercePriceIncreaseInfo?

    /// Creates one that states nothing.
    public init() {}
}
