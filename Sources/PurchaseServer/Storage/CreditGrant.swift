/// What a recorded transaction gave.
struct CreditGrant: Hashable, Sendable {
    /// The credits that it gave and a refund has not taken back.
    let credits: Int
    /// The customer's credits now.
    let balance: Int
    /// Whether the transaction was recorded before.
    let alreadyRecorded: Bool
}
