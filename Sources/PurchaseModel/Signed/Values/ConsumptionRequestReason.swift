/// Why a customer wants a refund.
public enum ConsumptionRequestReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// Did not mean to buy.
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    /// Did not get it, or could not use it.
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    /// Is not satisfied.
    case unsatisfied = "UNSATISFIED_WITH_PURCHASE"
    /// A legal reason.
    case legal = "LEGAL"
    /// Another reason.
    case other = "OTHER"
}
