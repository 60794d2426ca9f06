package import PurchaseModel

extension ControlEndpoints {
    /// Lists an account's transactions, oldest first.
    package static let transactions = Endpoint<Empty, TransactionsReply>(.get, "/control/v1/accounts/{account}/transactions")
}

/// The transactions of one account.
package struct TransactionsReply: Codable, Hashable, Sendable {
    /// The signed transactions, oldest first, as every other client receives them.
    package var signedTransactions: [SignedTransaction]
    /// A summary of each transaction, in the same order.
    package var summaries: [TransactionSummary]

    /// Creates a reply.
    package init(signedTransactions: [SignedTransaction], summaries: [TransactionSummary]) {
        self.signedTransactions = signedTransactions
        self.summaries = summaries
    }
}

/// A transaction as the console shows it.
package struct TransactionSummary: Codable, Hashable, Sendable {
    /// The transaction's current payload, as the store would sign it now.
    package var payload: TransactionPayload
    /// `purchase`, `renewal`, `restore` or `familyShared`.
    package var kind: String
    /// The date when an app finished the transaction.
    package var finishedDate: Timestamp?
    /// The order ID on the customer's invoice.
    package var orderID: String

    /// Creates a summary.
    package init(payload: TransactionPayload, kind: String, finishedDate: Timestamp?, orderID: String) {
        self.payload = payload
        self.kind = kind
        self.finishedDate = finishedDate
        self.orderID = orderID
    }
}
