public import PurchaseModel
public import PurchaseProof

/// A purchase to be delivered: verified, and told apart from its restoring.
public struct Purchase: Hashable, Sendable {
    /// The transaction that the queue holds and that will be finished.
    public let transaction: VerifiedTransaction
    /// The first transaction, when this one restores it.
    public let original: VerifiedTransaction?

    /// The transaction whose product, dates and numbers count: the first one.
    public var source: VerifiedTransaction { original ?? transaction }
    /// The product.
    public var productID: ProductID { source.payload.productId }
    /// How many.
    public var quantity: Int { source.payload.quantity }
    /// Whether it was restored.
    public var isRestored: Bool { original != nil }
}
