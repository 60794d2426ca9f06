/// The outcome of a payment that the store accepts.
enum PaymentOutcome: Sendable {
    /// The payment is completed with a transaction, which this request or an earlier request with the same payment created.
    case purchased(TransactionRecord)
    /// The payment is pending until a parent approves or declines it.
    case deferred
    /// The payment is pending until the account resolves an issue.
    case interrupted
}
