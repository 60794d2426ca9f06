/// What comes of a payment that is not refused.
enum Settlement: Sendable {
    /// It was charged, now or before.
    case sold(TransactionRecord)
    /// A parent must approve it first.
    case deferred
    /// Something else must be done first.
    case interrupted
}
