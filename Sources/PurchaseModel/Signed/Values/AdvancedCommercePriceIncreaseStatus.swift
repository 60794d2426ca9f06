/// The status of a price increase for an Advanced Commerce item.
public enum AdvancedCommercePriceIncreaseStatus: String, Codable, Hashable, Sendable, CaseIterable {
    /// The request for consent is scheduled.
    case scheduled = "SCHEDULED"
    /// The customer was asked for consent and has not answered.
    case pending = "PENDING"
    /// The customer consented.
    case accepted = "ACCEPTED"
}
