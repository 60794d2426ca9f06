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
}
