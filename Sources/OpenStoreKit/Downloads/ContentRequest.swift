import PurchaseModel

/// Asks a store for what it hosts for a transaction.
struct ContentRequest: Hashable, Sendable {
    /// The transaction.
    var transaction: TransactionID
    /// The first byte that is wanted.
    var offset: Int64
    /// The name of the content of which the bytes before are there; nil for none.
    var entityTag: String?
}
