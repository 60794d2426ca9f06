import PurchaseModel

/// The transaction that a command changed.
struct TransactionAnswer: Encodable, Sendable {
    var transaction: TransactionID
}
