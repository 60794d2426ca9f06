public import PurchaseModel
package import Wire

extension ControlEndpoints {
    /// Lists the transactions of an account, oldest first.
    package static let transactions = Endpoint<Empty, TransactionsReply>(.get, "/control/v1/accounts/{account}/transactions")
    /// Reads one transaction.
    package static let transaction = Endpoint<Empty, TransactionDetails>(.get, "/control/v1/transactions/{transaction}")
}

/// A transaction with its account.
public struct TransactionDetails: Codable, Hashable, Sendable {
    /// The account of the transaction.
    public var account: AccountID
    /// The transaction, as the store signs it for devices and servers.
    public var signedTransaction: SignedTransaction
    /// The summary of the transaction.
    public var summary: TransactionSummary

    /// Creates a transaction with its account.
    package init(account: AccountID, signedTransaction: SignedTransaction, summary: TransactionSummary) {
        self.account = account
        self.signedTransaction = signedTransaction
        self.summary = summary
    }
}

/// The transactions of one account.
package struct TransactionsReply: Codable, Hashable, Sendable {
    /// The transactions, oldest first, as the store signs them for devices and servers.
    package var signedTransactions: [SignedTransaction]
    /// The summaries of the transactions, in the same order as ``signedTransactions``.
    package var summaries: [TransactionSummary]

    /// Creates a reply.
    package init(signedTransactions: [SignedTransaction], summaries: [TransactionSummary]) {
        self.signedTransactions = signedTransactions
        self.summaries = summaries
    }
}

/// The properties of a transaction that the console shows.
public struct TransactionSummary: Codable, Hashable, Sendable {
    /// The current payload of the transaction, as the store would sign it now.
    public var payload: TransactionPayload
    /// The kind of the transaction: `purchase`, `renewal`, `restore`, `familyShared` or `assigned`.
    public var kind: String
    /// The date when an app finished the transaction; nil for an unfinished transaction.
    public var finishedDate: Timestamp?
    /// The order ID on the customer's invoice.
    public var orderID: String

    /// Creates a summary.
    package init(payload: TransactionPayload, kind: String, finishedDate: Timestamp?, orderID: String) {
        self.payload = payload
        self.kind = kind
        self.finishedDate = finishedDate
        self.orderID = orderID
    }
}
