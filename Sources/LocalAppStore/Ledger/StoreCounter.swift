import GRDB

/// Numbers that are given out once each.
enum StoreCounter: String {
    /// Transactions.
    case transaction
    /// Purchases of subscription periods (`webOrderLineItemId`).
    case orderLine
    /// Customers of an app (`appTransactionId`).
    case appTransaction
    /// Orders, which customers see on their invoices.
    case order
    /// Changes of transactions, by which histories are sorted.
    case change

    /// The next number as text; taken back when the database transaction is.
    ///
    /// Numbers that somebody's past brought along are left out.
    func next(_ db: Database) throws -> String {
        var number: String
        repeat { number = String(try nextNumber(db)) } while try isTaken(number, db)
        return number
    }

    private func isTaken(_ number: String, _ db: Database) throws -> Bool {
        switch self {
        case .transaction: try TransactionRecord.first("id", number, db) != nil
        case .appTransaction: try AppDownloadRecord.first("id", number, db) != nil
        case .orderLine, .order, .change: false
        }
    }

    /// The next number; taken back when the database transaction is.
    func nextNumber(_ db: Database) throws -> Int64 {
        let sql = "UPDATE counters SET value = value + 1 WHERE name = ? RETURNING value"
        guard let value = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [rawValue]) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        return value
    }
}
