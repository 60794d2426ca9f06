/// A higher price of an item of Advanced Commerce.
public struct AdvancedCommercePriceIncreaseInfo: Codable, Hashable, Sendable {
    /// The items whose prices rise with it.
    public var dependentSKUs: [String]?
    /// The new price, in thousandths.
    public var price: Int64?
    /// Where the customer stands with it.
    public var status: String?

    /// Creates one that states nothing.
    public init() {}

    /// Where the customer stands with it, or nil for one this version does not know.
    public var priceIncreaseStatus: AdvancedCommercePriceIncreaseStatus? {
        status.flatMap { AdvancedCommercePriceIncreaseStatus(rawValue: $0) }
    }
}
