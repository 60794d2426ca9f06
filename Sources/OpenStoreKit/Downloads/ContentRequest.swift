public import PurchaseModel

/// Asks a store for what it hosts for a transaction.
public struct ContentRequest: Hashable, Sendable {
    /// The transaction.
    public var transaction: TransactionID
    /// The first byte that is wanted.
    public var offset: Int64
    /// The name of the content of which the bytes before are there; nil for none.
    public var entityTag: String?

    /// Creates a request.
    public init(transaction: TransactionID, offset: Int64 = 0, entityTag: String? = nil) {
        self.transaction = transaction
        self.offset = offset
        self.entityTag = entityTag
    }
}
