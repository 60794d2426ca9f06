/// Where the customer stands with a higher price of an item of Advanced Commerce.
public enum AdvancedCommercePriceIncreaseStatus: String, Codable, Hashable, Sendable, CaseIterable {
    /// Will be asked.
    case scheduled = "SCHEDULED"
    /// Was asked.
    case pending = "PENDING"
    /// Agreed.
    case accepted = "ACCEPTED"
}
