import GRDB
import PurchaseModel
import StoreProtocol

/// A charge or a refund of an account, as a row of the database that is never changed.
struct ChargeRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "charges"

    var id: Int64?
    var account: AccountID
    var transactionID: TransactionID
    /// The kind of the row: `charge`, `refund` or `reversal`, and `refund 2`, `reversal 2` and so on for repeated refunds of a transaction.
    ///
    /// The table has at most one row of each kind for a transaction.
    var kind: String
    var productID: ProductID
    var date: Timestamp
    /// The amount in thousandths of the currency's main unit, such as 990 for $0.99; negative for a refund.
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

    /// Creates the row for the charge of a transaction's price.
    static func charge(_ transaction: TransactionRecord, at date: Timestamp) -> ChargeRecord {
        ChargeRecord("charge", of: transaction, transaction.price, at: date)
    }

    /// Inserts a refund of `amount`, or of the amount that is not yet refunded if that is less.
    ///
    /// The method inserts nothing if the transaction had no charge or is completely refunded.
    ///
    /// - Parameter amount: The amount in thousandths of the currency's main unit.
    static func refund(_ transaction: TransactionRecord, _ amount: Int64, at date: Timestamp, _ db: Database) throws {
        let paid = try balance(of: transaction, db)
        let refunded = min(amount, paid)
        guard refunded > 0 else { return }
        try ChargeRecord(try name("refund", of: transaction, db), of: transaction, -refunded, at: date).insert(db)
    }

    /// Inserts a charge that reverses the refunds of a transaction.
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

    /// The charge or refund as the control API returns it.
    var charge: Charge {
        Charge(date: date, transactionID: transactionID, productID: productID, amount: Money(milliunits: amount, currency: currency))
    }
}

extension ChargeRecord: PreparedInsertion {
    static let insertion = InsertStatement<ChargeRecord>([
        ("account", { $0.account.rawValue }), ("transactionID", { $0.transactionID.rawValue }), ("kind", { $0.kind }),
        ("productID", { $0.productID.rawValue }), ("date", { $0.date.milliseconds }), ("amount", { $0.amount }),
        ("currency", { $0.currency }),
    ])
}
