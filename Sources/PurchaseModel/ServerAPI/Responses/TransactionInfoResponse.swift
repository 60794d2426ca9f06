/// A response with one transaction.
public struct TransactionInfoResponse: Codable, Hashable, Sendable {
    /// The transaction, signed at the time of the request.
    public var signedTransactionInfo: SignedTransaction

    /// Creates a response.
    public init(signedTransactionInfo: SignedTransaction) {
        self.signedTransactionInfo = signedTransactionInfo
    }
}
