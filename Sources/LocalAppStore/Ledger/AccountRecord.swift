import GRDB
import PurchaseModel

/// One account of the store.
struct AccountRecord: Codable, Equatable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "accounts"

    var id: AccountID
    /// A test fixture, kept as it is.
    var password: String
    var asksToBuy: Bool
    var cardWorks: Bool
    /// Whose money it pays with: the sandbox's or, as far as anybody's, real.
    var environment = AppEnvironment.sandbox
    /// Alpha-3 code of the country it buys in; nil for the country of each app's catalog.
    var storefront: String?
    /// What the members of its family have in common; nil without a family.
    var family: String?
    /// Whether the family may use what it buys.
    var sharesPurchases = true
    /// Whether each purchase is interrupted, as by new terms to agree to, and goes on only when that is resolved.
    var interruptsPurchases = false

    /// The account, or ``StoreError/accountUnknown``.
    static func require(_ id: AccountID, _ db: Database) throws -> AccountRecord {
        guard let account = try first("id", id.rawValue, db) else { throw StoreError.accountUnknown }
        return account
    }

    /// Opens an account that somebody else than its owner is the first to name, unless it is there.
    static func open(_ id: AccountID, _ db: Database) throws {
        guard try first("id", id.rawValue, db) == nil else { return }
        guard (1...200).contains(id.rawValue.utf8.count) else { throw StoreError.unusable(field: "account") }
        try AccountRecord(id: id, password: "secret", asksToBuy: false, cardWorks: true).insert(db)
    }

    /// The other members of its family.
    func relatives(_ db: Database) throws -> [AccountRecord] {
        guard let family else { return [] }
        let sql = "SELECT * FROM accounts WHERE family = ? AND id <> ? ORDER BY rowid"
        return try AccountRecord.fetchAll(db.cachedStatement(sql: sql), arguments: [family, id.rawValue])
    }

    /// The store it buys an app's products in.
    func storefront(of app: StoreApp) -> Storefront {
        storefront.flatMap { Storefront(countryCode: $0) } ?? app.catalog.storefront
    }
}
