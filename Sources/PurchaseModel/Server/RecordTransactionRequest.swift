/// A transaction that the app asks the server to record.
public struct RecordTransactionRequest: Codable, Hashable, Sendable {
    /// The transaction as the store signed it.
    public var signedTransaction: SignedTransaction

    /// Creates a request.
    public init(signedTransaction: SignedTransaction) {
        self.signedTransaction = signedTransaction
    }
}
