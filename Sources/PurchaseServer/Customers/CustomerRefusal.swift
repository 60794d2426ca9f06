/// The refusal of a customer's request.
enum CustomerRefusal: Error, Equatable {
    /// The customer identifier is not a UUID.
    case malformed
    /// The idempotency key is empty, too long, or contains a control character.
    case spendingMalformed
    /// The amount is not from 1 to 1,000,000.
    case amount
    /// The idempotency key was used with another amount.
    case spendingReused
    /// The balance is less than the amount; the balance is negative when a refund revoked spent credits.
    case balanceTooSmall(Int)
}
