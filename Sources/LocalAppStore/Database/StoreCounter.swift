import GRDB

/// The counters from which the store takes unique numbers; the database stores the raw values.
enum StoreCounter: String {
    /// The counter of transaction identifiers.
    case transaction = "transaction"
    /// The counter of `webOrderLineItemId` values, one for each subscription period.
    case orderLine = "orderLine"
    /// The counter of `appTransactionId` values.
    case appTransaction = "appTransaction"
    /// The counter of order IDs, as on customers' invoices.
    case order = "order"
    /// The counter of changes to transactions, by which transaction histories are sorted.
    case change = "change"

    /// Increments the counter and returns the number as text; numbers that imported transactions use are skipped.
    ///
    /// A rollback of the database transaction also rolls back the counter.
    func next(_ db: Database) throws -> String {
        var number: String
        repeat { number = String(try nextNumber(db)) } while try isTaken(number, db)
        return number
    }

    private func isTaken(_ number: String, _ db: Database) throws -> Bool {
        let table: String
        switch self {
        case .transaction: table = TransactionRecord.databaseTableName
        case .appTransaction: table = AppDownloadRecord.databaseTableName
        case .orderLine, .order, .change: return false
        }
        let sql = "SELECT EXISTS (SELECT * FROM \(table) WHERE id = ?)"
        return try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [number]) == true
    }

    /// Increments the counter and returns the number; a rollback of the database transaction also rolls back the counter.
    func nextNumber(_ db: Database) throws -> Int64 {
        let sql = "UPDATE counters SET value = value + 1 WHERE name = ? RETURNING value"
        guard let value = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [rawValue]) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        return value
    }
}
