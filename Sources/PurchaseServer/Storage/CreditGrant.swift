/// The credits that a recorded transaction added.
struct CreditGrant: Hashable, Sendable {
    /// The credits of the transaction, less revoked credits.
    let credits: Int
    /// The customer's current balance; negative when a refund revoked spent credits.
    let balance: Int
    /// Whether the transaction was recorded before.
    let alreadyRecorded: Bool
}
