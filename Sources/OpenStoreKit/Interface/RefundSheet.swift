public import PurchaseModel

/// What the user sees who wants the money for a purchase back.
public struct RefundSheet: Hashable, Sendable {
    /// The product.
    public let productID: ProductID
    /// The purchase.
    public let transaction: TransactionID

    /// Describes a purchase.
    public init(productID: ProductID, transaction: TransactionID) {
        self.productID = productID
        self.transaction = transaction
    }

    /// The sheet's sentence.
    public var text: String { "Why do you want your money back for \(productID)?" }
}
