/// The reason for the refund of an Advanced Commerce item.
public enum AdvancedCommerceRefundReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// The customer did not intend the purchase.
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    /// The customer did not receive the item, or could not use it.
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    /// The customer is not satisfied with the item.
    case unsatisfied = "UNSATISFIED_WITH_PURCHASE"
    /// The refund has a legal reason.
    case legal = "LEGAL"
    /// The refund has another reason.
    case other = "OTHER"
    /// The refund follows a change of the subscription's items.
    case modifyItems = "MODIFY_ITEMS_REFUND"
    /// The developer tests a declined refund in the sandbox.
    case simulateDecline = "SIMULATE_REFUND_DECLINE"
}
