/// A refund of an Advanced Commerce item.
public struct AdvancedCommerceRefund: Codable, Hashable, Sendable {
    /// The refunded amount, in thousandths of the currency unit.
    public var refundAmount: Int64?
    /// The date of the refund.
    public var refundDate: Timestamp?
    /// The reason for the refund.
    public var refundReason: String?
    /// The kind of refund.
    public var refundType: String?

    /// Creates a refund without values.
    public init() {}

    /// The reason for the refund; nil when the field is absent or has an unknown value.
    public var reason: AdvancedCommerceRefundReason? { refundReason.flatMap { AdvancedCommerceRefundReason(rawValue: $0) } }

    /// The kind of refund; nil when the field is absent or has an unknown value.
    public var type: AdvancedCommerceRefundType? { refundType.flatMap { AdvancedCommerceRefundType(rawValue: $0) } }
}
