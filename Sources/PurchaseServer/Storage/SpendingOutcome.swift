/// The outcome of a debit.
enum SpendingOutcome: Hashable, Sendable {
    /// The credits were debited, now or in the first call; `balance` is the balance after the debit.
    case spent(balance: Int)
    /// The balance was not sufficient; nothing was debited.
    case tooSmall(balance: Int)
    /// The idempotency key was used with another amount.
    case reused
}
