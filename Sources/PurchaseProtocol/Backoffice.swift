package import PurchaseModel

/// What people who run a store or a server look at; both conform, so one console shows either.
package protocol Backoffice: Sendable {
    /// The name over the page, such as `Local App Store`.
    var title: String { get }

    /// The newest transactions, newest first, at most `limit`.
    func transactions(limit: Int) async throws -> [BackofficeTransaction]

    /// The newest notifications, newest first, at most `limit`.
    func notifications(limit: Int) async throws -> [BackofficeNotification]
}

/// A transaction as a person sees it.
package struct BackofficeTransaction: Hashable, Sendable {
    /// When it was made.
    package var date: Timestamp
    /// The transaction.
    package var id: TransactionID
    /// The product.
    package var productID: ProductID
    /// How many.
    package var quantity: Int
    /// Whose it is: an account of the store, or a customer of the server.
    package var owner: String
    /// What is to be known of it in a word or two, such as `finished` or `revoked`.
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

/// A notification as a person sees it.
package struct BackofficeNotification: Hashable, Sendable {
    /// When it was signed.
    package var date: Timestamp
    /// Its identifier.
    package var uuid: String
    /// Type and subtype, such as `DID_RENEW BILLING_RECOVERY`.
    package var kind: String
    /// What became of it in a word or two, such as `delivered` or `applied`.
    package var state: String

    /// Creates a row.
    package init(date: Timestamp, uuid: String, kind: String, state: String) {
        self.date = date
        self.uuid = uuid
        self.kind = kind
        self.state = state
    }
}
