public import PurchaseModel
public import PurchaseProof

/// A verified purchase that the app delivers.
public struct Purchase: Hashable, Sendable, Identifiable {
    /// The verified transaction of the purchase.
    public let transaction: VerifiedTransaction
    /// Whether a person restored the purchase, which adds no credits.
    public let isRestored: Bool

    /// The identifier of the transaction, which is the same at each delivery of the purchase.
    public var id: TransactionID { transaction.payload.transactionId }
    /// The identifier of the purchased product.
    public var productID: ProductID { transaction.payload.productId }
    /// The purchased quantity.
    public var quantity: Int { transaction.payload.quantity }
}
