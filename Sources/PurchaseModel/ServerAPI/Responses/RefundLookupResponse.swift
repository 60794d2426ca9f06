/// A response with a customer's newest refunds.
public struct RefundLookupResponse: Codable, Hashable, Sendable {
    /// The refunded transactions, at most fifty.
    public var signedTransactions: [SignedTransaction]

    /// Creates a response.
    public init(signedTransactions: [SignedTransaction]) {
        self.signedTransactions = signedTransactions
    }
}
