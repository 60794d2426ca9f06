import GRDB

/// The counters of unique numbers; the raw values are stored.
enum StoreCounter: String {
    /// Transaction identifiers.
    case transaction = "transaction"
    /// Purchases of subscription periods (`webOrderLineItemId`).
    case orderLine = "orderLine"
    /// App transactions (`appTransactionId`).
    case appTransaction = "appTransaction"
    /// Order IDs, as on customers' invoices.
    case order = "order"
    /// Changes of transactions; transaction histories are sorted by this number.
    case change = "change"

    /// The next number as text; a rollback of the database transaction also rolls back the counter.
    ///
    /// Numbers from imported histories are skipped.
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

    /// The next number; a rollback of the database transaction also rolls back the counter.
    func nextNumber(_ db: Database) throws -> Int64 {
        let sql = "UPDATE counters SET value = value + 1 WHERE name = ? RETURNING value"
        guard let value = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [rawValue]) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        return value
    }
}
