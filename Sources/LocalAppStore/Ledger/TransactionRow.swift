import GRDB
import PurchaseModel

/// One transaction of the ledger.
///
/// What a signed transaction says is made from it; see `TransactionRow+Payload.swift`.
struct TransactionRow: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "transactions"

    /// How a transaction came to be.
    enum Kind: String, Codable {
        /// A customer bought, or took again what was owned.
        case purchase
        /// The store renewed a subscription.
        case renewal
        /// A device restored another transaction.
        case restore
    }

    var id: TransactionID
    var originalID: TransactionID
    var kind: Kind
    var account: AccountID
    var device: DeviceID
    var appVersion: String
    var productID: ProductID
    var type: ProductType
    var groupID: SubscriptionGroupID?
    var quantity: Int
    /// What was paid in all, in thousandths; 0 for what was owned already.
    var price: Int64
    var currency: String
    /// `PURCHASE` or `RENEWAL`, of the purchase that stands behind it.
    var reason: String
    var purchaseDate: Timestamp
    var originalPurchaseDate: Timestamp
    var expiresDate: Timestamp?
    var webOrderLineItemID: String?
    var appAccountToken: CustomerID?
    var payment: PaymentID?
    /// The transaction that this one restores.
    var restores: TransactionID?
    var restoreRequest: String?
    var finishedAt: Timestamp?
    var revokedAt: Timestamp?

    /// The transaction with that id, if there is one.
    static func find(_ id: TransactionID, _ db: Database) throws -> TransactionRow? {
        try fetchOne(db, key: id.rawValue)
    }

    /// The newest period that was paid of a subscription.
    static func newestPeriod(of originalID: TransactionID, _ db: Database) throws -> TransactionRow? {
        let sql = "SELECT * FROM transactions WHERE originalID = ? AND kind <> 'restore' ORDER BY expiresDate DESC, rowid DESC LIMIT 1"
        return try fetchOne(db, sql: sql, arguments: [originalID.rawValue])
    }
}
