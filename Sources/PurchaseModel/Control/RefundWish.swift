/// A customer's request for the money of a transaction.
public struct RefundWish: Codable, Hashable, Sendable {
    /// The transaction.
    public var transaction: TransactionID
    /// Why; nil for `OTHER`.
    public var reason: ConsumptionRequestReason?

    /// Creates a request.
    public init(transaction: TransactionID, reason: ConsumptionRequestReason? = nil) {
        self.transaction = transaction
        self.reason = reason
    }
}
