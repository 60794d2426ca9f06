/// One transaction.
public struct TransactionInfoResponse: Codable, Hashable, Sendable {
    /// The transaction, signed when it was asked for.
    public var signedTransactionInfo: SignedTransaction

    /// Creates an answer.
    public init(signedTransactionInfo: SignedTransaction) {
        self.signedTransactionInfo = signedTransactionInfo
    }
}
