import GRDB

/// The few single values that the store keeps.
enum StoreSettings: String {
    /// The archive of the certificate authority.
    case authority
    /// How the store's time goes, as JSON.
    case time
    /// The private key of the App Store Server API, as PEM.
    case apiKey
    /// The name of that key.
    case apiKeyID
    /// The issuer that tokens for the API name.
    case issuerID
    /// How subscriptions go, as JSON.
    case subscriptionRules
    /// Whether customers get their money back at once when they ask for it, as in Xcode; nil for no.
    case grantsRefunds
    /// How often a tester deleted transactions; nil for never.
    case deletions

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
