/// The outcome of an accepted payment.
enum PaymentOutcome: Sendable {
    /// The payment was charged, now or by an earlier request.
    case purchased(TransactionRecord)
    /// The payment is pending until a parent approves or declines it.
    case deferred
    /// The payment is pending until the account resolves an issue.
    case interrupted
}
