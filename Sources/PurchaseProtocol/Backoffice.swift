package import PurchaseModel

/// The data that an operator of a store or a server sees in the console; both the store and the server conform.
package protocol Backoffice: Sendable {
    /// The title of the page, such as `Local App Store`.
    var title: String { get }

    /// The newest transactions, newest first, at most `limit`.
    func transactions(limit: Int) async throws -> [BackofficeTransaction]

    /// The newest notifications, newest first, at most `limit`.
    func notifications(limit: Int) async throws -> [BackofficeNotification]
}

/// A transaction as the console shows it.
package struct BackofficeTransaction: Hashable, Sendable {
    /// The date of the transaction.
    package var date: Timestamp
    /// The transaction identifier.
    package var id: TransactionID
    /// The product identifier.
    package var productID: ProductID
    /// The quantity.
    package var quantity: Int
    /// The owner: an account of the store, or a customer of the server.
    package var owner: String
    /// The state in a word or two, such as `finished` or `revoked`.
    package var state: String

    /// Creates a row.
    package init(date: Timestamp, id: TransactionID, productID: ProductID, quantity: Int, owner: String, state: String) {
        self.date = date
        self.id = id
        self.productID = productID
        self.quantity = quantity
        self.owner = owner
        self.state = state
    }
}

/// A notification as the console shows it.
package struct BackofficeNotification: Hashable, Sendable {
    /// The signature date.
    package var date: Timestamp
    /// The notification's identifier.
    package var uuid: String
    /// The type and the subtype, such as `DID_RENEW BILLING_RECOVERY`.
    package var kind: String
    /// The state in a word or two, such as `delivered` or `applied`.
    package var state: String

    /// Creates a row.
    package init(date: Timestamp, uuid: String, kind: String, state: String) {
        self.date = date
        self.uuid = uuid
        self.kind = kind
        self.state = state
    }
}
