/// A response with the purchases that belong to an order identifier from a customer's invoice.
public struct OrderLookupResponse: Codable, Hashable, Sendable {
    /// The status: 0 when the order has purchases in this app, 1 when it has none or does not exist.
    public var status: Int
    /// The purchases; absent when there are none.
    public var signedTransactions: [SignedTransaction]?

    /// Creates a response.
    public init(status: Int, signedTransactions: [SignedTransaction]? = nil) {
        self.status = status
        self.signedTransactions = signedTransactions
    }
}
