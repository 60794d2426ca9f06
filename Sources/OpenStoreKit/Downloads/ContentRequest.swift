import PurchaseModel

/// A request for the content that a store hosts for a transaction.
struct ContentRequest: Hashable, Sendable {
    /// The transaction whose content is requested.
    var transaction: TransactionID
    /// The offset in the content of the first requested byte.
    var offset: Int64
    /// The entity tag of the bytes received so far; nil to request all bytes.
    var entityTag: String?
}
