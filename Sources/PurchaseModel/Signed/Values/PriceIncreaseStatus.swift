/// Where the customer stands with a higher price.
public enum PriceIncreaseStatus: Int, Codable, Hashable, Sendable, CaseIterable {
    /// Asked, and has not answered.
    case notAnswered = 0
    /// Agreed, or was told where no consent is needed.
    case consented = 1
}
