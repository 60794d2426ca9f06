public import PurchaseModel

/// The sheet that asks the user for the reason of a refund request.
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

    /// The text of the sheet.
    public var text: String { "Why are you requesting a refund for \(productID)?" }
}
