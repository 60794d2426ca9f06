import GRDB

/// Numbers that are given out once each.
enum StoreCounter: String {
    /// Transactions.
    case transaction
    /// Purchases of subscription periods (`webOrderLineItemId`).
    case orderLine

    /// The next number as text; taken back when the database transaction is.
    func next(_ db: Database) throws -> String {
        let sql = "UPDATE counters SET value = value + 1 WHERE name = ? RETURNING value"
        guard let value = try Int64.fetchOne(db, sql: sql, arguments: [rawValue]) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return String(value)
    }
}
