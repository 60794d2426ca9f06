package import PurchaseModel

/// A source of the console's tables of transactions and notifications: the developer's server, in whose process the console runs.
package protocol Backoffice: Sendable {
    /// The title of the console page, such as `Purchase server`.
    var title: String { get }

    /// Returns the newest transactions, newest first.
    ///
    /// - Parameter limit: The maximum number of transactions.
    func transactions(limit: Int) async throws -> [BackofficeTransaction]

    /// Returns the newest notifications, newest first.
    ///
    /// - Parameter limit: The maximum number of notifications.
    func notifications(limit: Int) async throws -> [BackofficeNotification]
}

/// A row of the console's table of transactions.
package struct BackofficeTransaction: Hashable, Sendable {
    /// The date of the transaction.
    package var date: Timestamp
    /// The transaction identifier.
    package var id: TransactionID
    /// The identifier of the product.
    package var productID: ProductID
    /// The quantity.
    package var quantity: Int
    /// The owner of the transaction: a customer of the server.
    package var owner: String
    /// The state of the transaction in a word or two, such as `finished` or `revoked`.
    package var state: String

    /// Creates a row of the table of transactions.
    package init(date: Timestamp, id: TransactionID, productID: ProductID, quantity: Int, owner: String, state: String) {
        self.date = date
        self.id = id
        self.productID = productID
        self.quantity = quantity
        self.owner = owner
        self.state = state
    }
}

/// A row of the console's table of notifications.
package struct BackofficeNotification: Hashable, Sendable {
    /// The date when the notification was signed.
    package var date: Timestamp
    /// The `notificationUUID` of the notification.
    package var uuid: String
    /// The notification type and the subtype, such as `DID_RENEW BILLING_RECOVERY`.
    package var kind: String
    /// The state of the notification in a word or two, such as `delivered` or `applied`.
    package var state: String

    /// Creates a row of the table of notifications.
    package init(date: Timestamp, uuid: String, kind: String, state: String) {
        self.date = date
        self.uuid = uuid
        self.kind = kind
        self.state = state
    }
}
