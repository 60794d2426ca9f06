/// How a purchase was taken back.
public enum RevocationType: String, Codable, Hashable, Sendable, CaseIterable {
    /// All of the price was paid back.
    case fullRefund = "REFUND_FULL"
    /// A part of the price was paid back.
    case proratedRefund = "REFUND_PRORATED"
    /// The family does not share it any more.
    case familyRevoke = "FAMILY_REVOKE"
}
