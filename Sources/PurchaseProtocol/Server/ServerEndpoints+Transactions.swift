package import PurchaseModel

extension ServerEndpoints {
    /// Records a signed transaction for a customer; a repeated request receives the same response.
    package static let transactions = Endpoint<RecordTransactionRequest, GrantReply>(.post, "/v1/transactions")
    /// Accepts an App Store server notification.
    package static let notifications = Endpoint<NotificationRequest, Empty>(.post, "/v1/notifications")
}

/// A request to record a transaction for a customer.
package struct RecordTransactionRequest: Codable, Hashable, Sendable {
    /// The transaction as a JWS from the App Store.
    package var signedTransaction: SignedTransaction

    /// Creates a request.
    package init(signedTransaction: SignedTransaction) {
        self.signedTransaction = signedTransaction
    }
}

/// The credits that a recorded transaction added to its customer's balance.
package struct GrantReply: Codable, Hashable, Sendable {
    /// The identifier of the recorded transaction.
    package var transactionID: TransactionID
    /// The identifier of the product.
    package var productID: ProductID
    /// The credits that the transaction added, less revoked credits.
    ///
    /// The number is 0 for a restore, a Family Sharing entitlement, a repeated purchase of an owned product, and a transaction that added
    /// its credits to another customer.
    package var credits: Int
    /// The customer's current credits; negative if a refund revoked credits that were spent before.
    package var balance: Int
    /// Whether the server had recorded this transaction before.
    package var alreadyRecorded: Bool

    /// Creates a reply.
    package init(transactionID: TransactionID, productID: ProductID, credits: Int, balance: Int, alreadyRecorded: Bool) {
        self.transactionID = transactionID
        self.productID = productID
        self.credits = credits
        self.balance = balance
        self.alreadyRecorded = alreadyRecorded
    }
}

/// The body of an App Store server notification, version 2.
package struct NotificationRequest: Codable, Hashable, Sendable {
    /// The notification as a JWS from the App Store.
    package var signedPayload: SignedNotification

    /// Creates a body with a notification.
    package init(signedPayload: SignedNotification) {
        self.signedPayload = signedPayload
    }
}
