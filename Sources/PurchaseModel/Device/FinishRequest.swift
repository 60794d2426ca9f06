/// The transaction that was delivered.
public struct FinishRequest: Codable, Hashable, Sendable {
    /// The transaction.
    public var transaction: TransactionID
    /// Further ones, ``limit`` at most; those that the store does not know are passed over.
    public var further: [TransactionID]?

    /// How many further transactions a request may name.
    public static let limit = 1_000

    /// Creates a request.
    public init(transaction: TransactionID, further: [TransactionID]? = nil) {
        self.transaction = transaction
        self.further = further
    }
}
