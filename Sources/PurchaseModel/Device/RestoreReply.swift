/// The transactions that a restore made.
public struct RestoreReply: Codable, Hashable, Sendable {
    /// One new transaction for each restorable purchase, with its original.
    public var transactions: [UnfinishedTransaction]
    /// Where this page ends when there are more; nil on the last.
    public var next: String?

    /// How many transactions a reply holds at most.
    public static let limit = 500

    /// Creates a reply.
    public init(transactions: [UnfinishedTransaction], next: String? = nil) {
        self.transactions = transactions
        self.next = next
    }
}
