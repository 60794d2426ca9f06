import PurchaseModel

/// A request for the content that a store hosts for a transaction.
struct ContentRequest: Hashable, Sendable {
    /// The transaction.
    var transaction: TransactionID
    /// The offset of the first requested byte.
    var offset: Int64
    /// The entity tag of the bytes received so far; nil for none.
    var entityTag: String?
}
