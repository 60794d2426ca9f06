/// The kind of a purchase's revocation.
public enum RevocationType: String, Codable, Hashable, Sendable, CaseIterable {
    /// The full price was refunded.
    case fullRefund = "REFUND_FULL"
    /// A part of the price was refunded.
    case proratedRefund = "REFUND_PRORATED"
    /// The purchase is no longer available through Family Sharing.
    case familyRevoke = "FAMILY_REVOKE"
}
