import Foundation
package import GRDB

/// A connection to a SQLite database during a transaction.
package struct SQLiteTransactionConnection: SQLConnection {
    package let claimLock = ""
    /// GRDB's connection, which is valid only during the transaction.
    package let db: Database

    package init(db: Database) { self.db = db }

    package func execute(_ sql: String, _ arguments: [SQLValue]) throws {
        try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments.map(\.databaseValue)))
    }

    package func changes(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try execute(sql, arguments)
        return db.changesCount
    }

    package func query<Value>(_ sql: String, _ arguments: [SQLValue], limit: Int, _ read: (any SQLRow) throws -> Value) throws -> [Value] {
        let arguments = StatementArguments(arguments.map(\.databaseValue))
        let cursor = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
        // Retain the cursor, because the statement and the row are valid only during its lifetime.
        return try withExtendedLifetime(cursor) {
            var values: [Value] = []
            while values.count < limit, let row = try cursor.next() { values.append(try read(SQLiteRow(row: row))) }
            return values
        }
    }
}

extension SQLValue {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .text(let text): text.databaseValue
        case .integer(let number): number.databaseValue
        case .boolean(let flag): flag.databaseValue
        case .bytes(let data): data.databaseValue
        }
    }
}

/// A row of a SQLite result.
private struct SQLiteRow: SQLRow {
    let row: Row

    // Read the columns without a conversion, because the columns of strict tables have their declared types.
    func text(_ column: String) throws -> String? { row[column] }
    func integer(_ column: String) throws -> Int64? { row[column] }
    func boolean(_ column: String) throws -> Bool? { row[column] }
    func bytes(_ column: String) throws -> Data? { row[column] }
}
