/// One page of a customer's refunds.
public struct RefundHistoryResponse: Codable, Hashable, Sendable {
    /// The refunded transactions, at most twenty, earliest refund first.
    public var signedTransactions: [SignedTransaction]
    /// The revision at the end of this page; send it to request the next page.
    public var revision: String
    /// Whether the refund history has more refunds after this page.
    public var hasMore: Bool

    /// Creates a response.
    public init(signedTransactions: [SignedTransaction], revision: String, hasMore: Bool) {
        self.signedTransactions = signedTransactions
        self.revision = revision
        self.hasMore = hasMore
    }
}
