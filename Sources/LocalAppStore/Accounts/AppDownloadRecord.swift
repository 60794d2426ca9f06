import GRDB
import PurchaseModel

/// An account's first download of an app, as a row of the database: the data of the app transaction.
struct AppDownloadRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "downloads"

    /// The `appTransactionId`, which permanently identifies the account in the app.
    var id: String
    var account: AccountID
    var bundleID: BundleID
    var originalAppVersion: String
    var originalPurchaseDate: Timestamp

    /// Returns an account's download of an app, and inserts the row if there is none.
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

    /// Returns an account's download of an app; nil if the account has not downloaded the app.
    static func find(_ account: AccountID, _ bundleID: BundleID, _ db: Database) throws -> AppDownloadRecord? {
        let sql = "SELECT * FROM downloads WHERE account = ? AND bundleID = ?"
        return try fetchOne(db.cachedStatement(sql: sql), arguments: [account.rawValue, bundleID.rawValue])
    }
}

extension AppDownloadRecord {
    /// Returns the payload of the app transaction, without the installed version of the app.
    func appTransaction(of app: StoreApp, _ environment: AppEnvironment, at now: Timestamp) -> AppTransactionPayload {
        // In the sandbox, as in Apple's, the original version is always 1.0 and the original purchase date is always 1 August 2013.
        let isReal = environment == .production
        var payload = AppTransactionPayload(
            receiptType: environment.rawValue, bundleId: app.bundleID, receiptCreationDate: now)
        payload.originalPurchaseDate = isReal ? originalPurchaseDate : Timestamp(milliseconds: 1_375_340_400_000)
        payload.originalApplicationVersion = isReal ? originalAppVersion : "1.0"
        payload.appTransactionId = id
        payload.appAppleId = isReal ? app.row.appAppleID : nil
        payload.originalPlatform = PurchasePlatform.iOS.rawValue
        return payload
    }
}
