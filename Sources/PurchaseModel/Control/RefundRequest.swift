/// Which transaction's money to give back.
public struct RefundRequest: Codable, Hashable, Sendable {
    /// The transaction.
    public var transaction: TransactionID
    /// 0, or 1 when it is the app's fault; nil for 0.
    public var reason: Int?
    /// How much of the price, in thousandths of a percent; nil for all of it.
    public var percentage: Int?

    /// Creates a request.
    public init(transaction: TransactionID, reason: Int? = nil, percentage: Int? = nil) {
        self.transaction = transaction
        self.reason = reason
        self.percentage = percentage
    }
}
