/// A customer's request for a refund, and what became of it.
public struct RefundRequestDescription: Codable, Hashable, Sendable {
    /// The request.
    public var id: Int64
    /// The transaction.
    public var transaction: TransactionID
    /// Why, such as `UNINTENDED_PURCHASE`.
    public var reason: String
    /// When it was asked.
    public var date: Timestamp
    /// When the store decides by itself; nil when it is decided.
    public var due: Timestamp?
    /// `pending`, `granted` or `declined`.
    public var state: String
    /// What the developer's server said, as it said it.
    public var consumption: JSONText?

    /// Creates a description.
    public init(
        id: Int64, transaction: TransactionID, reason: String, date: Timestamp, due: Timestamp?, state: String, consumption: JSONText?
    ) {
        self.id = id
        self.transaction = transaction
        self.reason = reason
        self.date = date
        self.due = due
        self.state = state
        self.consumption = consumption
    }
}
