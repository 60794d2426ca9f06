/// The reason for the refund of an Advanced Commerce item.
public enum AdvancedCommerceRefundReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// The customer did not intend the purchase.
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    /// The customer did not receive the item, or could not use it.
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    /// The customer is not satisfied.
    case unsatisfied = "UNSATISFIED_WITH_PURCHASE"
    /// The refund has a legal reason.
    case legal = "LEGAL"
    /// The refund has another reason.
    case other = "OTHER"
    /// The items of a subscription changed.
    case modifyItems = "MODIFY_ITEMS_REFUND"
    /// The sandbox simulates a declined refund.
    case simulateDecline = "SIMULATE_REFUND_DECLINE"
}
