import GRDB

/// The keys of the values in the database's `settings` table; the database stores the raw values.
enum StoreSettings: String {
    /// The key of the archive with the store's certificate authority.
    case authority = "authority"
    /// The key of the state of the store's clock, as JSON.
    case time = "time"
    /// The key of the private key for App Store Server API tokens, as PEM.
    case apiKey = "apiKey"
    /// The key of the identifier (`kid`) of the App Store Server API key.
    case apiKeyID = "apiKeyID"
    /// The key of the issuer identifier (`iss`) in tokens for the App Store Server API.
    case issuerID = "issuerID"
    /// The key of the rules of the store's subscriptions, such as the time rate, as JSON.
    case subscriptionRules = "subscriptionRules"
    /// The key of the setting to approve each refund request immediately, as Xcode does; without a value, refund requests stay pending.
    case approvesRefunds = "approvesRefunds"
    /// The key of the number of times that tests deleted transactions; without a value, the number is 0.
    case deletions = "deletions"

    /// Returns the stored value; nil if the table has none.
    func value(_ db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT value FROM settings WHERE name = ?", arguments: [rawValue])
    }

    /// Saves a value; with nil, deletes the stored value.
    func set(_ value: String?, _ db: Database) throws {
        guard let value else {
            return try db.execute(sql: "DELETE FROM settings WHERE name = ?", arguments: [rawValue])
        }
        try db.execute(sql: "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", arguments: [rawValue, value])
    }
}
