import GRDB
import PurchaseModel

/// A transaction of the ledger.
///
/// The payload of a signed transaction is derived from the record; see `TransactionRecord+Payload.swift`.
struct TransactionRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "transactions"

    /// The origin of a transaction; the raw values are stored.
    enum Kind: String, Codable {
        /// The customer purchased the product, or obtained an already owned product again.
        case purchase = "purchase"
        /// The store renewed a subscription.
        case renewal = "renewal"
        /// A device restored another transaction.
        case restore = "restore"
        /// A family member has access through Family Sharing.
        case familyShared = "familyShared"
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
    /// The total price paid, in thousandths; 0 for an already owned product.
    var price: Int64
    var currency: String
    /// The transaction reason: `PURCHASE` or `RENEWAL`, of the underlying purchase.
    var reason: String
    var purchaseDate: Timestamp
    var originalPurchaseDate: Timestamp
    var expiresDate: Timestamp?
    var webOrderLineItemID: String?
    var appAccountToken: CustomerID?
    /// The application username if it is not a UUID; signed transactions do not contain the username.
    var applicationUsername: String?
    var payment: PaymentID?
    /// The transaction that this transaction restores.
    var restores: TransactionID?
    var restoreRequest: String?
    var finishedAt: Timestamp?
    var revokedAt: Timestamp?
    var bundleID: BundleID
    var environment: AppEnvironment
    /// The alpha-3 country code of the purchase's storefront.
    var storefront: String
    /// The `appTransactionId`: one for each account and app.
    var appTransactionID: String
    /// The order ID on the customer's invoice; products bought together share one order ID.
    var orderID: String
    /// The purchaser's transaction that this transaction shares.
    var purchaserTransactionID: TransactionID?
    var offerType: Int?
    var offerID: String?
    var offerMode: String?
    /// The total length of the offer.
    var offerPeriod: String?
    /// The date at which an upgrade replaced the subscription before its end.
    var upgradedAt: Timestamp?
    /// The number of the subscription's period, from 1; nil for other products.
    var period: Int?
    /// The revocation reason: 1 for an issue within the app, otherwise 0.
    var revocationReason: Int?
    var revocationType: String?
    /// The refunded part of the price, in thousandths of a percent.
    var revocationPercentage: Int?
    /// The number of the last change in the store, by which transaction histories are sorted.
    var change: Int64 = 0
    /// The number of the last change or finish, by which devices detect changes.
    var revision: Int64 = 0

    /// The transaction with that identifier; nil if there is none.
    static func find(_ id: TransactionID, _ db: Database) throws -> TransactionRecord? {
        try first("id", id.rawValue, db)
    }

    /// The transaction of a subscription's newest paid period.
    static func newestPeriod(of originalID: TransactionID, _ db: Database) throws -> TransactionRecord? {
        let sql = "SELECT * FROM transactions WHERE originalID = ? AND kind <> 'restore' ORDER BY purchaseDate DESC, rowid DESC LIMIT 1"
        return try fetchOne(db.cachedStatement(sql: sql), arguments: [originalID.rawValue])
    }

    /// The transaction of a subscription's period.
    static func period(_ number: Int, of originalID: TransactionID, _ db: Database) throws -> TransactionRecord {
        let sql = "SELECT * FROM transactions WHERE originalID = ? AND period = ? AND kind <> 'restore'"
        guard let row = try fetchOne(db.cachedStatement(sql: sql), arguments: [originalID.rawValue, number]) else {
            throw StoreError.transactionUnknown
        }
        return row
    }
}
