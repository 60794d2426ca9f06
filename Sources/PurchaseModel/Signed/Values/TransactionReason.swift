/// What led to a transaction.
public enum TransactionReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// The customer bought.
    case purchase = "PURCHASE"
    /// The store renewed a subscription.
    case renewal = "RENEWAL"
}
