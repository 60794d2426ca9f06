import GRDB
import PurchaseModel
import PurchaseProtocol

/// One line of what an account paid or got back; lines are added, and never changed.
struct ChargeRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "charges"

    var id: Int64?
    var account: AccountID
    var transactionID: TransactionID
    /// `charge`; then `refund`, `reversal`, `refund 2`, `reversal 2` …: the table holds one of each kind for a transaction.
    var kind: String
    var productID: ProductID
    var date: Timestamp
    /// Thousandths of the currency's unit; negative for a refund.
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

    /// The line of a purchase.
    static func charge(_ transaction: TransactionRecord, at date: Timestamp) -> ChargeRecord {
        ChargeRecord("charge", of: transaction, transaction.price, at: date)
    }

    /// Gives back what a revocation says, unless nothing was paid or all of it was given back.
    static func refund(_ transaction: TransactionRecord, _ amount: Int64, at date: Timestamp, _ db: Database) throws {
        let paid = try balance(of: transaction, db)
        let given = min(amount, paid)
        guard given > 0 else { return }
        try ChargeRecord(try name("refund", of: transaction, db), of: transaction, -given, at: date).insert(db)
    }

    /// Takes again what was given back.
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

    /// The line as the wire has it.
    var charge: Charge {
        Charge(date: date, transaction: transactionID, productID: productID, amount: Money(milliunits: amount, currency: currency))
    }
}
