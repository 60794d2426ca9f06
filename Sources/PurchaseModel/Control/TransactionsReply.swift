/// Transactions of one account.
public struct TransactionsReply: Codable, Hashable, Sendable {
    /// Oldest first; signed as anybody else would get them.
    public var transactions: [SignedTransaction]
    /// What a screen shows of each, in the same order.
    public var summaries: [TransactionSummary]

    /// Creates a reply.
    public init(transactions: [SignedTransaction], summaries: [TransactionSummary]) {
        self.transactions = transactions
        self.summaries = summaries
    }
}
