/// Which transaction's refund to take back.
public struct ReverseRefundRequest: Codable, Hashable, Sendable {
    /// The transaction.
    public var transaction: TransactionID

    /// Creates a request.
    public init(transaction: TransactionID) {
        self.transaction = transaction
    }
}
