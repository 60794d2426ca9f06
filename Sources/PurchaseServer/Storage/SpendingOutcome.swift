/// The outcome of a request to debit credits.
enum SpendingOutcome: Hashable, Sendable {
    /// The credits were debited, by this or an earlier call with the key; `balance` is the balance after the debit.
    case spent(balance: Int)
    /// The balance is less than the amount; nothing was debited.
    case tooSmall(balance: Int)
    /// The idempotency key was used before with another amount; nothing was debited.
    case reused
}
