/// One line of what an account paid, or got back.
public struct Charge: Codable, Hashable, Sendable {
    /// When.
    public var date: Timestamp
    /// For which transaction.
    public var transaction: TransactionID
    /// For which product.
    public var productID: ProductID
    /// How much; negative for a refund.
    public var amount: Money

    /// Creates a line.
    public init(date: Timestamp, transaction: TransactionID, productID: ProductID, amount: Money) {
        self.date = date
        self.transaction = transaction
        self.productID = productID
        self.amount = amount
    }
}
