import GRDB
import PurchaseModel

/// A customer's account in the store, as a row of the database.
struct AccountRecord: Codable, Equatable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "accounts"

    var id: AccountID
    /// The account's password, stored in plain text because the account exists for tests only.
    var password: String
    var askToBuyEnabled: Bool
    var hasValidPaymentMethod: Bool
    /// The environment of the account's purchases: sandbox, or simulated production.
    var environment = AppEnvironment.sandbox
    /// The alpha-3 country code of the account's storefront; nil to use the default storefront of each app's catalog.
    var storefront: String?
    /// The identifier of the account's Family Sharing group; nil if the account has no family.
    var family: String?
    /// Whether the account shares its family-shareable purchases with its family.
    var sharesPurchases = true
    /// Whether each purchase is interrupted, as by new terms and conditions, until the account resolves the issue.
    var interruptedPurchasesEnabled = false

    /// Returns the account with an identifier.
    ///
    /// - Throws: ``AccountError/unknown`` if the store has no such account.
    static func require(_ id: AccountID, _ db: Database) throws -> AccountRecord {
        guard let account = try first("id", id.rawValue, db) else { throw AccountError.unknown }
        return account
    }

    /// Creates an account with the default settings, unless the account exists.
    ///
    /// Control API requests for a purchase or an import use this method, so that a test need not create the account first.
    static func open(_ id: AccountID, _ db: Database) throws {
        guard try first("id", id.rawValue, db) == nil else { return }
        guard (1...200).contains(id.rawValue.utf8.count) else { throw StoreError.invalidValue(field: "account") }
        try AccountRecord(id: id, password: "secret", askToBuyEnabled: false, hasValidPaymentMethod: true).insert(db)
    }

    /// Returns the other members of the account's family; an empty array if the account has no family.
    func familyMembers(_ db: Database) throws -> [AccountRecord] {
        guard let family else { return [] }
        let sql = "SELECT * FROM accounts WHERE family = ? AND id <> ? ORDER BY rowid"
        return try AccountRecord.fetchAll(db.cachedStatement(sql: sql), arguments: [family, id.rawValue])
    }

    /// Returns the storefront in which the account buys an app's products.
    func storefront(of app: StoreApp) -> Storefront {
        storefront.flatMap { Storefront(countryCode: $0) } ?? app.catalog.storefront
    }
}
