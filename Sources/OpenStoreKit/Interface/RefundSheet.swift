public import PurchaseModel

/// The sheet that asks the user for the reason of a refund request.
public struct RefundSheet: Hashable, Sendable {
    /// The identifier of the purchased product.
    public let productID: ProductID
    /// The transaction to refund.
    public let transaction: TransactionID

    /// Creates a sheet for a transaction.
    public init(productID: ProductID, transaction: TransactionID) {
        self.productID = productID
        self.transaction = transaction
    }

    /// The question of the sheet, such as `Why are you requesting a refund for coins.100?`.
    public var text: String { "Why are you requesting a refund for \(productID)?" }
}
