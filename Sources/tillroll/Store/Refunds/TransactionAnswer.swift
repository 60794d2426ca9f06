import PurchaseModel

/// Which transaction something happened to.
struct TransactionAnswer: Encodable, Sendable {
    var transaction: TransactionID
}
