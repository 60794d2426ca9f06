/// The cause of a transaction.
public enum TransactionReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// The customer made a purchase.
    case purchase = "PURCHASE"
    /// The store renewed a subscription.
    case renewal = "RENEWAL"
}
