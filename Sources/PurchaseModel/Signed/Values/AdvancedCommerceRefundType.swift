/// The kind of refund of an Advanced Commerce item.
public enum AdvancedCommerceRefundType: String, Codable, Hashable, Sendable, CaseIterable {
    /// The full price is refunded.
    case full = "FULL"
    /// The price of the remaining time is refunded.
    case prorated = "PRORATED"
    /// An amount that the developer chose is refunded.
    case custom = "CUSTOM"
}
