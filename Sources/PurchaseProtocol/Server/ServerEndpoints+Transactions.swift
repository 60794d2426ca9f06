package import PurchaseModel

extension ServerEndpoints {
    /// Records a signed transaction for a customer; a repeat answers the same.
    package static let transactions = Endpoint<RecordTransactionRequest, GrantReply>(.post, "/v1/transactions")
    /// Takes in the App Store's server notifications.
    package static let notifications = Endpoint<NotificationRequest, Empty>(.post, "/v1/notifications")
}

/// A transaction that the app asks the server to record.
package struct RecordTransactionRequest: Codable, Hashable, Sendable {
    /// The transaction as the store signed it.
    package var signedTransaction: SignedTransaction

    /// Creates a request.
    package init(signedTransaction: SignedTransaction) {
        self.signedTransaction = signedTransaction
    }
}

/// What a recorded transaction added to its customer's balance.
package struct GrantReply: Codable, Hashable, Sendable {
    /// The transaction.
    package var transaction: TransactionID
    /// The product.
    package var product: ProductID
    /// The credits that it added, less what a refund took back; 0 for a restore, a Family Sharing copy, an owned product bought again,
    /// or a transaction that added its credits to another customer.
    package var credits: Int
    /// The customer's credits now; below zero when refunds took back credits that were spent already.
    package var balance: Int
    /// Whether this transaction had been recorded before.
    package var alreadyRecorded: Bool

    /// Creates a reply.
    package init(transaction: TransactionID, product: ProductID, credits: Int, balance: Int, alreadyRecorded: Bool) {
        self.transaction = transaction
        self.product = product
        self.credits = credits
        self.balance = balance
        self.alreadyRecorded = alreadyRecorded
    }
}

/// The body that the App Store posts to a server.
package struct NotificationRequest: Codable, Hashable, Sendable {
    /// The notification as the store signed it.
    package var signedPayload: SignedNotification

    /// Creates a body.
    package init(signedPayload: SignedNotification) {
        self.signedPayload = signedPayload
    }
}
