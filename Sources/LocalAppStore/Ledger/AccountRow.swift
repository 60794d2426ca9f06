import GRDB
import PurchaseModel

/// One account of the store.
struct AccountRow: Codable, Equatable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "accounts"

    var id: AccountID
    /// A test fixture, kept as it is.
    var password: String
    var asksToBuy: Bool
    var cardWorks: Bool

    /// The account, or ``StoreError/accountUnknown``.
    static func require(_ id: AccountID, _ db: Database) throws -> AccountRow {
        guard let account = try fetchOne(db, key: id.rawValue) else { throw StoreError.accountUnknown }
        return account
    }
}
