/// Why a question or an order about a customer was refused.
enum CustomerRefusal: Error, Equatable {
    /// The identifier is no UUID.
    case malformed
    /// The identifier of a spending is empty, too long, or holds a control character.
    case spendingMalformed
    /// The amount is outside of 1 to 1,000,000.
    case amount
    /// The same spending was asked for with another amount before.
    case spendingReused
    /// There are fewer credits than are to be spent; below zero when refunds took back credits that were spent.
    case balanceTooSmall(Int)
}
