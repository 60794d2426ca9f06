/// The status of a price increase for an Advanced Commerce item.
public enum AdvancedCommercePriceIncreaseStatus: String, Codable, Hashable, Sendable, CaseIterable {
    /// The price increase is scheduled, and the customer has not been asked for consent yet.
    case scheduled = "SCHEDULED"
    /// The customer was asked for consent and has not answered.
    case pending = "PENDING"
    /// The customer consented to the price increase.
    case accepted = "ACCEPTED"
}
