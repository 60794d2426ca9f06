import Foundation
import GRDB
import PurchaseModel

/// A sign-in of an account on a device; only the device has the token itself.
struct SessionRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "sessions"

    /// The SHA-256 of the token.
    var tokenHash: Data
    var account: AccountID
    var device: DeviceID
    var appVersion: String
    var bundleID: BundleID
    /// The row number of the store's last transaction at the time of the sign-in.
    var lastTransactionRow: Int64

    /// The row number of the last transaction before a device's first sign-in to the account.
    ///
    /// Unfinished transactions up to that row also go to the device, because the device may be an erased device or a reinstalled app.
    func lastRowBeforeFirstSignIn(_ db: Database) throws -> Int64 {
        let sql = "SELECT MIN(lastTransactionRow) FROM sessions WHERE account = ? AND device = ? AND bundleID = ?"
        let arguments: StatementArguments = [account.rawValue, device.rawValue, bundleID.rawValue]
        return try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: arguments) ?? 0
    }

    /// The device with the account's most recent sign-in in an app.
    static func newestDevice(of account: AccountID, in bundleID: BundleID, _ db: Database) throws -> DeviceID? {
        let sql = "SELECT device FROM sessions WHERE account = ? AND bundleID = ? ORDER BY rowid DESC LIMIT 1"
        return try String.fetchOne(db.cachedStatement(sql: sql), arguments: [account.rawValue, bundleID.rawValue]).map { DeviceID($0) }
    }
}
