package import PurchaseModel

extension ControlEndpoints {
    /// An account's transactions, oldest first.
    package static let transactions = Endpoint<Empty, TransactionsReply>(.get, "/control/v1/accounts/{account}/transactions")
}

/// Transactions of one account.
package struct TransactionsReply: Codable, Hashable, Sendable {
    /// Oldest first; signed as anybody else would get them.
    package var transactions: [SignedTransaction]
    /// What a screen shows of each, in the same order.
    package var summaries: [TransactionSummary]

    /// Creates a reply.
    package init(transactions: [SignedTransaction], summaries: [TransactionSummary]) {
        self.transactions = transactions
        self.summaries = summaries
    }
}

/// What a screen shows of a transaction.
package struct TransactionSummary: Codable, Hashable, Sendable {
    /// What it says, as if it were signed now.
    package var payload: TransactionPayload
    /// `purchase`, `renewal`, `restore` or `shared`.
    package var kind: String
    /// When an app said that it delivered.
    package var finished: Timestamp?
    /// What the customer's invoice says.
    package var orderID: String

    /// Creates a summary.
    package init(payload: TransactionPayload, kind: String, finished: Timestamp?, orderID: String) {
        self.payload = payload
        self.kind = kind
        self.finished = finished
        self.orderID = orderID
    }
}
