/// A refund of an item of Advanced Commerce.
public struct AdvancedCommerceRefund: Codable, Hashable, Sendable {
    /// What was paid back, in thousandths.
    public var refundAmount: Int64?
    /// When.
    public var refundDate: Timestamp?
    /// Why.
    public var refundReason: String?
    /// How much of it.
    public var refundType: String?

    /// Creates one that states nothing.
    public init() {}

    /// Why, or nil for one this version does not know.
    public var reason: AdvancedCommerceRefundReason? { refundReason.flatMap { AdvancedCommerceRefundReason(rawValue: $0) } }

    /// How much of it, or nil for one this version does not know.
    public var type: AdvancedCommerceRefundType? { refundType.flatMap { AdvancedCommerceRefundType(rawValue: $0) } }
}
