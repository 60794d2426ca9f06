/// A discount offer for an Advanced Commerce item.
public struct AdvancedCommerceOffer: Codable, Hashable, Sendable {
    /// The duration of one offer period, as an ISO 8601 duration.
    public var period: String?
    /// The number of offer periods.
    public var periodCount: Int?
    /// The price of one offer period, in thousandths of the currency unit.
    public var price: Int64?
    /// The purpose of the offer.
    public var reason: String?

    /// Creates an offer without values.
    public init() {}

    /// The purpose of the offer; nil when the field is absent or has an unknown value.
    public var offerReason: AdvancedCommerceOfferReason? { reason.flatMap { AdvancedCommerceOfferReason(rawValue: $0) } }
}
