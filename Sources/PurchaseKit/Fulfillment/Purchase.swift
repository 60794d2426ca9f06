public import PurchaseModel
public import PurchaseProof

/// A verified purchase to deliver, with the original transaction of a restored purchase.
public struct Purchase: Hashable, Sendable {
    /// The transaction in the queue, which is finished after the delivery.
    public let transaction: VerifiedTransaction
    /// The original transaction of a restored purchase; nil for others.
    public let original: VerifiedTransaction?

    /// The transaction with the purchase's product, dates and identifiers: the original one for a restored purchase.
    public var source: VerifiedTransaction { original ?? transaction }
    /// The product.
    public var productID: ProductID { source.payload.productId }
    /// The purchased quantity.
    public var quantity: Int { source.payload.quantity }
    /// Whether the purchase was restored.
    public var isRestored: Bool { original != nil }
}
