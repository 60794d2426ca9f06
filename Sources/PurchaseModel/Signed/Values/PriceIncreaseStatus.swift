/// The status of a subscription's price increase.
public enum PriceIncreaseStatus: Int, Codable, Hashable, Sendable, CaseIterable {
    /// Consent is required, and the customer has not answered.
    case notAnswered = 0
    /// The customer consented, or was notified where no consent is required.
    case consented = 1
}
