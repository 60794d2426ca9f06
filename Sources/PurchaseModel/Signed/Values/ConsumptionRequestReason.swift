/// The reason for a customer's refund request.
public enum ConsumptionRequestReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// The customer did not intend the purchase.
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    /// The customer did not receive the purchase, or could not use it.
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    /// The customer is not satisfied with the purchase.
    case unsatisfied = "UNSATISFIED_WITH_PURCHASE"
    /// The refund request has a legal reason.
    case legal = "LEGAL"
    /// The refund request has another reason.
    case other = "OTHER"
}
