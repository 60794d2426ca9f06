import GRDB
import PurchaseModel
import StoreProtocol
import Synchronization

/// The dates of the latest requests of devices since the store started.
///
/// The dates are in memory only, so that a request that only reads does not write to the database.
final class DeviceActivity: Sendable {
    private let dates = Mutex<[DeviceID: Timestamp]>([:])

    /// Sets the date of a device's latest request.
    func update(_ device: DeviceID, at now: Timestamp) {
        dates.withLock { $0[device] = now }
    }

    /// Returns the date of a device's latest request; nil if there was none.
    func latest(of device: DeviceID) -> Timestamp? {
        dates.withLock { $0[device] }
    }
}

/// The service that lists devices and restricts purchases on them.
struct DeviceService: Sendable {
    let context: StoreContext
    let activity: DeviceActivity

    /// The maximum number of listed devices.
    private static let limit = 1_000

    /// Returns the devices on which accounts signed in, newest sign-in first, followed by other devices with restricted purchases.
    func devices() async throws -> DevicesReply {
        let devices = try await context.read { db in
            let sql = """
                SELECT device, max(isRestricted) AS isRestricted,
                    json_group_array(DISTINCT account) FILTER (WHERE account IS NOT NULL) AS accounts,
                    json_group_array(DISTINCT bundleID) FILTER (WHERE bundleID IS NOT NULL) AS bundleIDs
                FROM (
                    SELECT s.device, s.rowid AS row, s.account, s.bundleID, r.id IS NOT NULL AS isRestricted
                    FROM sessions s LEFT JOIN restrictedDevices r ON r.id = s.device
                    UNION ALL SELECT id, 0, NULL, NULL, 1 FROM restrictedDevices
                )
                GROUP BY device ORDER BY max(row) DESC, device LIMIT ?
                """
            return try SignedInDevice.fetchAll(db, sql: sql, arguments: [Self.limit]).map { row in
                DeviceDescription(
                    device: row.device, isRestricted: row.isRestricted, accounts: row.accounts.sorted { $0.rawValue < $1.rawValue },
                    bundleIDs: row.bundleIDs.sorted { $0.rawValue < $1.rawValue }, lastSeen: activity.latest(of: row.device))
            }
        }
        return DevicesReply(devices: devices)
    }

    /// Sets whether the restrictions of a device forbid purchases.
    func setRestricted(_ isRestricted: Bool, device: DeviceID) async throws {
        guard device.bytes != nil else { throw StoreError.invalidValue(field: "device") }
        let sql =
            isRestricted
            ? "INSERT INTO restrictedDevices (id) VALUES (?) ON CONFLICT DO NOTHING" : "DELETE FROM restrictedDevices WHERE id = ?"
        try await context.transaction { db, _ in try db.cachedStatement(sql: sql).execute(arguments: [device.rawValue]) }
    }
}

/// A row of the query for devices; GRDB decodes the arrays from JSON.
private struct SignedInDevice: Decodable, FetchableRecord {
    var device: DeviceID
    var isRestricted: Bool
    var accounts: [AccountID]
    var bundleIDs: [BundleID]
}
