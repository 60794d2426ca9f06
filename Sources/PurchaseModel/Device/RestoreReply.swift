/// The transactions that a restore made.
public struct RestoreReply: Codable, Hashable, Sendable {
    /// One new transaction for each restorable purchase, with its original.
    public var transactions: [UnfinishedTransaction]

    /// Creates a reply.
    public init(transactions: [UnfinishedTransaction]) {
        self.transactions = transactions
    }
}
