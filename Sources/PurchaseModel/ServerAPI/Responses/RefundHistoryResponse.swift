/// One page of a customer's refunds.
public struct RefundHistoryResponse: Codable, Hashable, Sendable {
    /// At most twenty, the earliest refund first.
    public var signedTransactions: [SignedTransaction]
    /// Where the page ends: asks for the next page.
    public var revision: String
    /// Whether there is a next page.
    public var hasMore: Bool

    /// Creates an answer.
    public init(signedTransactions: [SignedTransaction], revision: String, hasMore: Bool) {
        self.signedTransactions = signedTransactions
        self.revision = revision
        self.hasMore = hasMore
    }
}
