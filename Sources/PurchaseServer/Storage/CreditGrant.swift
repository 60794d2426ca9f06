/// What a recorded transaction added to a balance.
struct CreditGrant: Hashable, Sendable {
    /// The credits that it added and a refund has not taken back.
    let credits: Int
    /// The customer's credits now; below zero is a debt.
    let balance: Int
    /// Whether the transaction was recorded before.
    let alreadyRecorded: Bool
}
