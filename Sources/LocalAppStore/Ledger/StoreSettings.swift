import GRDB

/// The keys of the store's single values; the raw values are stored.
enum StoreSettings: String {
    /// The archive of the certificate authority.
    case authority = "authority"
    /// The state of the store's time, as JSON.
    case time = "time"
    /// The private key of the App Store Server API, as PEM.
    case apiKey = "apiKey"
    /// The identifier of the App Store Server API key.
    case apiKeyID = "apiKeyID"
    /// The issuer identifier in tokens for the App Store Server API.
    case issuerID = "issuerID"
    /// The rules of subscriptions, as JSON.
    case subscriptionRules = "subscriptionRules"
    /// Whether a refund request is approved at once, as in Xcode; nil for no.
    case approvesRefunds = "approvesRefunds"
    /// The number of times that a tester deleted transactions; nil for never.
    case deletions = "deletions"

    /// The value; nil if there is none.
    func value(_ db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT value FROM settings WHERE name = ?", arguments: [rawValue])
    }

    /// Saves a value; nil deletes the value.
    func set(_ value: String?, _ db: Database) throws {
        guard let value else {
            return try db.execute(sql: "DELETE FROM settings WHERE name = ?", arguments: [rawValue])
        }
        try db.execute(sql: "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", arguments: [rawValue, value])
    }
}
