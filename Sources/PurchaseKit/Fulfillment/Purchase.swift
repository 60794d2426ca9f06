public import PurchaseModel
public import PurchaseProof

/// A verified purchase that the app delivers.
public struct Purchase: Hashable, Sendable {
    /// The verified transaction in the queue, which is finished after the delivery.
    public let transaction: VerifiedTransaction
    /// The original transaction of a restored purchase; nil for a purchase that is not restored.
    public let original: VerifiedTransaction?

    /// The transaction that describes the purchase: ``original`` for a restored purchase, otherwise ``transaction``.
    public var source: VerifiedTransaction { original ?? transaction }
    /// The identifier of the purchased product.
    public var productID: ProductID { source.payload.productId }
    /// The purchased quantity.
    public var quantity: Int { source.payload.quantity }
    /// Whether the purchase was restored.
    public var isRestored: Bool { original != nil }
}
