/// The transaction whose money is given back.
public struct RefundRequest: Codable, Hashable, Sendable {
    /// The transaction.
    public var transaction: TransactionID

    /// Creates a request.
    public init(transaction: TransactionID) {
        self.transaction = transaction
    }
}
