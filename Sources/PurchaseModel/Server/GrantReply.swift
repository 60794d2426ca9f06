/// What a recorded transaction gave its customer; the same for every repeat.
public struct GrantReply: Codable, Hashable, Sendable {
    /// The transaction.
    public var transaction: TransactionID
    /// The product.
    public var product: ProductID
    /// The credits that it added, once.
    public var credits: Int
    /// The customer's credits now.
    public var balance: Int
    /// Whether this transaction had been recorded before.
    public var alreadyRecorded: Bool

    /// Creates a reply.
    public init(transaction: TransactionID, product: ProductID, credits: Int, balance: Int, alreadyRecorded: Bool) {
        self.transaction = transaction
        self.product = product
        self.credits = credits
        self.balance = balance
        self.alreadyRecorded = alreadyRecorded
    }
}
