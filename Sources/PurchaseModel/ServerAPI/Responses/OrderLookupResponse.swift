/// The purchases of a customer's invoice.
public struct OrderLookupResponse: Codable, Hashable, Sendable {
    /// 0 when the order has purchases of this app, 1 when there are none or no such order.
    public var status: Int
    /// The purchases; absent without any.
    public var signedTransactions: [SignedTransaction]?

    /// Creates an answer.
    public init(status: Int, signedTransactions: [SignedTransaction]? = nil) {
        self.status = status
        self.signedTransactions = signedTransactions
    }
}
