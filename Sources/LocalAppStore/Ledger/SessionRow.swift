import Foundation
import GRDB
import PurchaseModel

/// One sign-in of an account on a device; the token itself is known to the device only.
struct SessionRow: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "sessions"

    /// SHA-256 of the token.
    var tokenHash: Data
    var account: AccountID
    var device: DeviceID
    var appVersion: String
    var bundleID: BundleID

    /// The device on which an account signed in last in an app.
    static func newestDevice(of account: AccountID, in bundleID: BundleID, _ db: Database) throws -> DeviceID? {
        let sql = "SELECT device FROM sessions WHERE account = ? AND bundleID = ? ORDER BY rowid DESC LIMIT 1"
        return try String.fetchOne(db.cachedStatement(sql: sql), arguments: [account.rawValue, bundleID.rawValue]).map { DeviceID($0) }
    }
}
