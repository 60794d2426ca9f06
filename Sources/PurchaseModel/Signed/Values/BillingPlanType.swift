/// The billing plan of a subscription.
public enum BillingPlanType: String, Codable, Hashable, Sendable, CaseIterable {
    /// The customer pays the whole price upfront.
    case billedUpfront = "BILLED_UPFRONT"
    /// The customer pays monthly, and has committed to a longer term.
    case monthly = "MONTHLY"
}
