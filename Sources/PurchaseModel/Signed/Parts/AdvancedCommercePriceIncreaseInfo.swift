/// A price increase of an Advanced Commerce item.
public struct AdvancedCommercePriceIncreaseInfo: Codable, Hashable, Sendable {
    /// The SKUs of the items whose prices increase together with the price of this item.
    public var dependentSKUs: [String]?
    /// The new price, in thousandths of the currency unit.
    public var price: Int64?
    /// The status of the price increase.
    public var status: String?

    /// Creates a price increase without values.
    public init() {}

    /// The status of the price increase; nil when the field is absent or has an unknown value.
    public var priceIncreaseStatus: AdvancedCommercePriceIncreaseStatus? {
        status.flatMap { AdvancedCommercePriceIncreaseStatus(rawValue: $0) }
    }
}
