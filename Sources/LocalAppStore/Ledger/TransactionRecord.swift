import GRDB
import PurchaseModel

/// One transaction of the ledger.
///
/// What a signed transaction says is made from it; see `TransactionRecord+Payload.swift`.
struct TransactionRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "transactions"

    /// How a transaction came to be.
    enum Kind: String, Codable {
        /// A customer bought, or took again what was owned.
        case purchase
        /// The store renewed a subscription.
        case renewal
        /// A device restored another transaction.
        case restore
        /// A relative shares a purchase.
        case shared
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
    /// The application username when it is no UUID; no transaction tells it.
    var username: String?
    var payment: PaymentID?
    /// The transaction that this one restores.
    var restores: TransactionID?
    var restoreRequest: String?
    var finishedAt: Timestamp?
    var revokedAt: Timestamp?
    var bundleID: BundleID
    var environment: AppEnvironment
    /// Alpha-3 code of the country it was bought in.
    var storefront: String
    /// `appTransactionId`: one for each account and app.
    var customer: String
    /// What the customer's invoice says; shared by what was bought together.
    var orderID: String
    /// The relative's transaction that this one shares.
    var sharedFrom: TransactionID?
    var offerType: Int?
    var offerID: String?
    var offerMode: String?
    /// The whole length of the offer.
    var offerPeriod: String?
    /// When a better subscription took its place before it ended.
    var upgradedAt: Timestamp?
    /// The number of the subscription's period, from 1; nil for what is no subscription.
    var period: Int?
    /// 0, or 1 when it was the app's fault.
    var revocationReason: Int?
    var revocationType: String?
    /// How much of the price was given back, in thousandths of a percent.
    var revocationPercentage: Int?
    /// Counts up with each change in the store: histories are sorted by it.
    var change: Int64 = 0
    /// The same, and moved on by a finish as well: devices are told by it.
    var revision: Int64 = 0

    /// The transaction with that id, if there is one.
    static func find(_ id: TransactionID, _ db: Database) throws -> TransactionRecord? {
        try first("id", id.rawValue, db)
    }

    /// The newest period that was paid of a subscription.
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
