/// Why an item of Advanced Commerce was refunded.
public enum AdvancedCommerceRefundReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// The customer did not mean to buy.
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    /// The customer did not get it, or could not use it.
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    /// The customer is not satisfied.
    case unsatisfied = "UNSATISFIED_WITH_PURCHASE"
    /// A legal reason.
    case legal = "LEGAL"
    /// Another reason.
    case other = "OTHER"
    /// The items of a subscription changed.
    case modifyItems = "MODIFY_ITEMS_REFUND"
    /// A test of a declined refund, in the sandbox.
    case simulateDecline = "SIMULATE_REFUND_DECLINE"
}
