import Foundation
import GRDB
import PurchaseModel

/// A sign-in of an account in an app on a device, as a row of the database.
///
/// The device has the sign-in's token; the store keeps only the token's hash.
struct SessionRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "sessions"

    /// The SHA-256 of the token that authenticates the device's requests.
    var tokenHash: Data
    var account: AccountID
    var device: DeviceID
    var appVersion: String
    var bundleID: BundleID
    /// The row number of the store's newest transaction at the time of the sign-in.
    var lastTransactionRow: Int64

    /// Returns the row number of the newest transaction at the time of the device's first sign-in to the account in the app.
    ///
    /// The device also receives the unfinished transactions of other devices up to this row, because an erased device or a reinstalled app
    /// signs in as a new device.
    func lastRowBeforeFirstSignIn(_ db: Database) throws -> Int64 {
        let sql = "SELECT MIN(lastTransactionRow) FROM sessions WHERE account = ? AND device = ? AND bundleID = ?"
        let arguments: StatementArguments = [account.rawValue, device.rawValue, bundleID.rawValue]
        return try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: arguments) ?? 0
    }

    /// Returns the device on which an account most recently signed in to an app; nil if there was no sign-in.
    static func newestDevice(of account: AccountID, in bundleID: BundleID, _ db: Database) throws -> DeviceID? {
        let sql = "SELECT device FROM sessions WHERE account = ? AND bundleID = ? ORDER BY rowid DESC LIMIT 1"
        return try String.fetchOne(db.cachedStatement(sql: sql), arguments: [account.rawValue, bundleID.rawValue]).map { DeviceID($0) }
    }
}
