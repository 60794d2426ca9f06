import GRDB
import PurchaseModel

/// An account of the store.
struct AccountRecord: Codable, Equatable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "accounts"

    var id: AccountID
    /// The password, stored in plain text because it is a test fixture.
    var password: String
    var askToBuyEnabled: Bool
    var hasValidPaymentMethod: Bool
    /// The environment of the account's purchases: sandbox, or production as a simulation.
    var environment = AppEnvironment.sandbox
    /// The alpha-3 country code of the account's storefront; nil for the default storefront of each app's catalog.
    var storefront: String?
    /// The identifier of the account's family, shared by all its members; nil without a family.
    var family: String?
    /// Whether the account shares its purchases with the family.
    var sharesPurchases = true
    /// Whether each purchase is interrupted, as by new terms and conditions, and continues only after the issue is resolved.
    var interruptedPurchasesEnabled = false

    /// The account with an identifier, or ``StoreError/accountUnknown``.
    static func require(_ id: AccountID, _ db: Database) throws -> AccountRecord {
        guard let account = try first("id", id.rawValue, db) else { throw StoreError.accountUnknown }
        return account
    }

    /// Opens an account that another account's request names first, unless the account exists.
    static func open(_ id: AccountID, _ db: Database) throws {
        guard try first("id", id.rawValue, db) == nil else { return }
        guard (1...200).contains(id.rawValue.utf8.count) else { throw StoreError.invalidValue(field: "account") }
        try AccountRecord(id: id, password: "secret", askToBuyEnabled: false, hasValidPaymentMethod: true).insert(db)
    }

    /// The other members of the account's family.
    func familyMembers(_ db: Database) throws -> [AccountRecord] {
        guard let family else { return [] }
        let sql = "SELECT * FROM accounts WHERE family = ? AND id <> ? ORDER BY rowid"
        return try AccountRecord.fetchAll(db.cachedStatement(sql: sql), arguments: [family, id.rawValue])
    }

    /// The storefront in which the account buys an app's products.
    func storefront(of app: StoreApp) -> Storefront {
        storefront.flatMap { Storefront(countryCode: $0) } ?? app.catalog.storefront
    }
}
