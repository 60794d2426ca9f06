import GRDB
import PurchaseModel

/// An account's download of an app: the data of the app transaction, whose identifier permanently identifies the account in this app.
struct AppDownloadRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "downloads"

    /// The `appTransactionId`.
    var id: String
    var account: AccountID
    var bundleID: BundleID
    var originalAppVersion: String
    var originalPurchaseDate: Timestamp

    /// The account's download of an app; created if there is none.
    static func findOrCreate(
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

    /// The account's download of an app; nil if there is none.
    static func find(_ account: AccountID, _ bundleID: BundleID, _ db: Database) throws -> AppDownloadRecord? {
        let sql = "SELECT * FROM downloads WHERE account = ? AND bundleID = ?"
        return try fetchOne(db.cachedStatement(sql: sql), arguments: [account.rawValue, bundleID.rawValue])
    }
}
