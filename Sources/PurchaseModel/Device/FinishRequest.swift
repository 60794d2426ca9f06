/// The transaction that was delivered.
public struct FinishRequest: Codable, Hashable, Sendable {
    /// The transaction.
    public var transaction: TransactionID

    /// Creates a request.
    public init(transaction: TransactionID) {
        self.transaction = transaction
    }
}
