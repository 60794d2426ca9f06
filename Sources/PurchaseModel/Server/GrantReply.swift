/// What a recorded transaction added to its customer's balance.
public struct GrantReply: Codable, Hashable, Sendable {
    /// The transaction.
    public var transaction: TransactionID
    /// The product.
    public var product: ProductID
    /// The credits that it added, less what a refund took back; 0 for a restore, a Family Sharing copy, an owned product bought again,
    /// or a transaction that added its credits to another customer.
    public var credits: Int
    /// The customer's credits now; below zero when refunds took back credits that were spent already.
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
