/// What was made for a ``TriggerRequest``.
public struct TriggerReply: Codable, Hashable, Sendable {
    /// The notification that was asked for.
    public var notificationUUID: String
    /// To whom it happened; nil where nobody's purchase is told of.
    public var account: AccountID?
    /// The transaction that it is about.
    public var transaction: TransactionID?

    /// Creates a reply.
    public init(notificationUUID: String, account: AccountID? = nil, transaction: TransactionID? = nil) {
        self.notificationUUID = notificationUUID
        self.account = account
        self.transaction = transaction
    }
}
