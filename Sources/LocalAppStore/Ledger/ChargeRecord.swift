import GRDB
import PurchaseModel
import PurchaseProtocol

/// An entry of an account's charges and refunds; entries are added and never changed.
struct ChargeRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "charges"

    var id: Int64?
    var account: AccountID
    var transactionID: TransactionID
    /// The kind of the entry: `charge`, `refund`, `reversal`, `refund 2`, `reversal 2`, and so on.
    ///
    /// The table has at most one entry of each kind for a transaction.
    var kind: String
    var productID: ProductID
    var date: Timestamp
    /// The amount in thousandths of the currency's unit; negative for a refund.
    var amount: Int64
    var currency: String

    private init(_ kind: String, of transaction: TransactionRecord, _ amount: Int64, at date: Timestamp) {
        self.account = transaction.account
        self.transactionID = transaction.id
        self.kind = kind
        self.productID = transaction.productID
        self.date = date
        self.amount = amount
        self.currency = transaction.currency
    }

    /// The entry for a purchase.
    static func charge(_ transaction: TransactionRecord, at date: Timestamp) -> ChargeRecord {
        ChargeRecord("charge", of: transaction, transaction.price, at: date)
    }

    /// Adds a refund of the revocation's amount, unless the transaction had no charge or is completely refunded.
    static func refund(_ transaction: TransactionRecord, _ amount: Int64, at date: Timestamp, _ db: Database) throws {
        let paid = try balance(of: transaction, db)
        let refunded = min(amount, paid)
        guard refunded > 0 else { return }
        try ChargeRecord(try name("refund", of: transaction, db), of: transaction, -refunded, at: date).insert(db)
    }

    /// Adds a charge that reverses a refund.
    static func reversal(_ transaction: TransactionRecord, at date: Timestamp, _ db: Database) throws {
        let (owed, overflow) = transaction.price.subtractingReportingOverflow(try balance(of: transaction, db))
        guard !overflow, owed > 0 else { return }
        try ChargeRecord(try name("reversal", of: transaction, db), of: transaction, owed, at: date).insert(db)
    }

    private static func balance(of transaction: TransactionRecord, _ db: Database) throws -> Int64 {
        let sql = "SELECT sum(amount) FROM charges WHERE transactionID = ?"
        return try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [transaction.id.rawValue]) ?? 0
    }

    private static func name(_ kind: String, of transaction: TransactionRecord, _ db: Database) throws -> String {
        let sql = "SELECT count(*) FROM charges WHERE transactionID = ? AND kind LIKE ?"
        let count = try Int.fetchOne(db.cachedStatement(sql: sql), arguments: [transaction.id.rawValue, "\(kind)%"]) ?? 0
        return count == 0 ? kind : "\(kind) \(count + 1)"
    }

    /// The entry in the control API's format.
    var charge: Charge {
        Charge(date: date, transactionID: transactionID, productID: productID, amount: Money(milliunits: amount, currency: currency))
    }
}
