/// The result of recording a transaction: its credits and the customer's balance.
struct CreditGrant: Hashable, Sendable {
    /// The credits that the transaction added, less the credits that refunds revoked; 0 for a restore.
    let credits: Int
    /// The customer's current balance; negative when a refund revoked spent credits.
    let balance: Int
    /// Whether the transaction was recorded before.
    let alreadyRecorded: Bool
}
