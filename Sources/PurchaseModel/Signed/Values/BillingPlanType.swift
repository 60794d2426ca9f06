/// How a subscription is charged for.
public enum BillingPlanType: String, Codable, Hashable, Sendable, CaseIterable {
    /// All at once.
    case billedUpfront = "BILLED_UPFRONT"
    /// Month by month of a longer commitment.
    case monthly = "MONTHLY"
}
