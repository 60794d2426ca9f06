public import PurchaseModel

/// The server whose transactions and notifications the console lists in tables; the console runs in the server's process.
public protocol Backoffice: Sendable {
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
public struct BackofficeTransaction: Hashable, Sendable {
    /// The date of the transaction.
    public var date: Timestamp
    /// The `transactionId` of the transaction.
    public var id: TransactionID
    /// The identifier of the product.
    public var productID: ProductID
    /// The number of purchased units.
    public var quantity: Int
    /// The owner of the transaction: a customer of the server.
    public var owner: String
    /// The state of the transaction in a word or two, such as `finished` or `revoked`.
    public var state: String

    /// Creates a row of the table of transactions.
    ///
    /// - Parameters:
    ///   - date: The date of the transaction.
    ///   - id: The `transactionId` of the transaction.
    ///   - productID: The identifier of the product.
    ///   - quantity: The number of purchased units.
    ///   - owner: The owner of the transaction.
    ///   - state: The state in a word or two.
    public init(date: Timestamp, id: TransactionID, productID: ProductID, quantity: Int, owner: String, state: String) {
        self.date = date
        self.id = id
        self.productID = productID
        self.quantity = quantity
        self.owner = owner
        self.state = state
    }
}

/// A row of the console's table of notifications.
public struct BackofficeNotification: Hashable, Sendable {
    /// The date when the notification was signed.
    public var date: Timestamp
    /// The `notificationUUID` of the notification.
    public var uuid: String
    /// The notification type and the subtype, such as `DID_RENEW BILLING_RECOVERY`.
    public var kind: String
    /// The state of the notification in a word or two, such as `delivered` or `applied`.
    public var state: String

    /// Creates a row of the table of notifications.
    ///
    /// - Parameters:
    ///   - date: The date when the notification was signed.
    ///   - uuid: The `notificationUUID` of the notification.
    ///   - kind: The notification type and the subtype.
    ///   - state: The state in a word or two.
    public init(date: Timestamp, uuid: String, kind: String, state: String) {
        self.date = date
        self.uuid = uuid
        self.kind = kind
        self.state = state
    }
}
