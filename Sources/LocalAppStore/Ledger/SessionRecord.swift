import Foundation
import GRDB
import PurchaseModel

/// One sign-in of an account on a device; the token itself is known to the device only.
struct SessionRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "sessions"

    /// SHA-256 of the token.
    var tokenHash: Data
    var account: AccountID
    var device: DeviceID
    var appVersion: String
    var bundleID: BundleID
    /// The last transaction that there was when the device signed in; by its place in the table.
    var behind: Int64

    /// What was bought before a device signed in as the account for the first time ends here.
    ///
    /// What is unfinished of it comes to the device as well: it may be the same phone, wiped, or with the app installed again.
    func beforeFirst(_ db: Database) throws -> Int64 {
        let sql = "SELECT MIN(behind) FROM sessions WHERE account = ? AND device = ? AND bundleID = ?"
        let whose: StatementArguments = [account.rawValue, device.rawValue, bundleID.rawValue]
        return try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: whose) ?? 0
    }

    /// The device on which an account signed in last in an app.
    static func newestDevice(of account: AccountID, in bundleID: BundleID, _ db: Database) throws -> DeviceID? {
        let sql = "SELECT device FROM sessions WHERE account = ? AND bundleID = ? ORDER BY rowid DESC LIMIT 1"
        return try String.fetchOne(db.cachedStatement(sql: sql), arguments: [account.rawValue, bundleID.rawValue]).map { DeviceID($0) }
    }
}
