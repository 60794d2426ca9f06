/// A customer's newest refunds.
public struct RefundLookupResponse: Codable, Hashable, Sendable {
    /// At most fifty.
    public var signedTransactions: [SignedTransaction]

    /// Creates an answer.
    public init(signedTransactions: [SignedTransaction]) {
        self.signedTransactions = signedTransactions
    }
}
