/// A discount on an item of Advanced Commerce.
public struct AdvancedCommerceOffer: Codable, Hashable, Sendable {
    /// How long one of its periods is, as an ISO 8601 duration.
    public var period: String?
    /// How many periods it has.
    public var periodCount: Int?
    /// What a period costs, in thousandths.
    public var price: Int64?
    /// What the offer is for.
    public var reason: String?

    /// Creates one that states nothing.
    public init() {}

    /// What the offer is for, or nil for one this version does not know.
    public var offerReason: AdvancedCommerceOfferReason? { reason.flatMap { AdvancedCommerceOfferReason(rawValue: $0) } }
}
