/// The reason why the server refuses a request about a customer or a debit.
enum CustomerRefusal: Error, Equatable {
    /// The customer identifier is not a UUID.
    case malformed
    /// The idempotency key is empty, longer than 100 bytes, or contains a control character.
    case spendingMalformed
    /// The amount of a debit is not from 1 to 1,000,000 credits.
    case amount
}
