/// How much of an item of Advanced Commerce was refunded.
public enum AdvancedCommerceRefundType: String, Codable, Hashable, Sendable, CaseIterable {
    /// All of it.
    case full = "FULL"
    /// For the time that was left.
    case prorated = "PRORATED"
    /// An amount of the developer's choice.
    case custom = "CUSTOM"
}
