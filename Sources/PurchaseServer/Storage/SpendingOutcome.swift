/// What became of a spending.
enum SpendingOutcome: Hashable, Sendable {
    /// The credits were taken, now or the first time it was asked for; `balance` is what was left then.
    case spent(balance: Int)
    /// There were not enough; nothing was taken.
    case tooSmall(balance: Int)
    /// The same spending was made with another amount.
    case reused
}
