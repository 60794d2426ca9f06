import GRDB

/// The few single values that the store keeps.
enum StoreSettings: String {
    /// The archive of the certificate authority.
    case authority
    /// By how many milliseconds the store's time is ahead of its base clock.
    case clockOffset
    /// Where notifications go.
    case notificationURL

    /// The value, or nil.
    func value(_ db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT value FROM settings WHERE name = ?", arguments: [rawValue])
    }

    /// Keeps a value; nil forgets it.
    func set(_ value: String?, _ db: Database) throws {
        guard let value else {
            return try db.execute(sql: "DELETE FROM settings WHERE name = ?", arguments: [rawValue])
        }
        try db.execute(sql: "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", arguments: [rawValue, value])
    }
}
