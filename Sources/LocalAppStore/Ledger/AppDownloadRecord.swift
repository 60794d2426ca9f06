import GRDB
import PurchaseModel

/// That an account got an app: what an app transaction says, which names the customer of this app for ever.
struct AppDownloadRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "downloads"

    /// `appTransactionId`.
    var id: String
    var account: AccountID
    var bundleID: BundleID
    var originalAppVersion: String
    var originalPurchaseDate: Timestamp

    /// The account's download of an app, made when there is none.
    static func obtain(
        _ account: AccountID, _ bundleID: BundleID, version: String, at now: Timestamp, _ db: Database
    ) throws -> AppDownloadRecord {
        if let known = try find(account, bundleID, db) { return known }
        let row = AppDownloadRecord(
            id: try StoreCounter.appTransaction.next(db), account: account, bundleID: bundleID, originalAppVersion: version,
            originalPurchaseDate: now.wholeSeconds
        )
        try row.insert(db)
        return row
    }

    /// The account's download of an app.
    static func find(_ account: AccountID, _ bundleID: BundleID, _ db: Database) throws -> AppDownloadRecord? {
        let sql = "SELECT * FROM downloads WHERE account = ? AND bundleID = ?"
        return try fetchOne(db.cachedStatement(sql: sql), arguments: [account.rawValue, bundleID.rawValue])
    }
}
