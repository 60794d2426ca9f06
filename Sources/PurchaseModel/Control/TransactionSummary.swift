/// What a screen shows of a transaction.
public struct TransactionSummary: Codable, Hashable, Sendable {
    /// What it says, as if it were signed now.
    public var payload: TransactionPayload
    /// `purchase`, `renewal`, `restore` or `shared`.
    public var kind: String
    /// When an app said that it delivered.
    public var finished: Timestamp?
    /// What the customer's invoice says.
    public var orderID: String

    /// Creates a summary.
    public init(payload: TransactionPayload, kind: String, finished: Timestamp?, orderID: String) {
        self.payload = payload
        self.kind = kind
        self.finished = finished
        self.orderID = orderID
    }
}
