/// An item of an Advanced Commerce subscription that renews.
public struct AdvancedCommerceRenewalItem: Codable, Hashable, Sendable {
    /// The developer's identifier of the item.
    public var SKU: String?
    /// The description of the item.
    public var description: String?
    /// The display name of the item.
    public var displayName: String?
    /// The discount offer of the item.
    public var offer: AdvancedCommerceOffer?
    /// The price of the item, in thousandths of the currency unit.
    public var price: Int64?
    /// The pending price increase of the item.
    public var priceIncreaseInfo: AdvancedCommercePriceIncreaseInfo?

    /// Creates an item without values.
    public init() {}
}
