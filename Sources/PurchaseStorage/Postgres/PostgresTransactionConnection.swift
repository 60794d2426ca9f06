import Foundation
package import LibPQ

/// A connection to a PostgreSQL database during a transaction.
package final class PostgresTransactionConnection: SQLConnection {
    package let claimLock = "FOR UPDATE SKIP LOCKED"

    private let connection: PostgresConnection
    /// Whether a statement may have changed a row since the caller last reset this flag.
    package var hasSentChanges = false
    /// Whether a statement certainly wrote a row.
    private var hasWritten = false
    /// The statements that ``executeOnce(_:_:)`` has executed for any request of the transaction.
    private var executedOnce: Set<Statement> = []

    private struct Statement: Hashable {
        let sql: String
        let arguments: [SQLValue]
    }

    package init(_ connection: PostgresConnection) {
        self.connection = connection
    }

    package func execute(_ sql: String, _ arguments: [SQLValue]) throws {
        hasSentChanges = true
        let statement = PostgresStatement.translated(sql)
        try connection.sendPrepared(statement.text, arguments.map(\.postgresValue))
        if statement.alwaysWrites { hasWritten = true }
    }

    package func executeOnce(_ sql: String, _ arguments: [SQLValue]) throws {
        if executedOnce.insert(Statement(sql: sql, arguments: arguments)).inserted { try execute(sql, arguments) }
    }

    package func changes(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        let count = try connection.queryPrepared(PostgresStatement.translated(sql).text, arguments.map(\.postgresValue)).affectedRows
        if count > 0 { (hasSentChanges, hasWritten) = (true, true) }
        return count
    }

    /// Makes the commit wait for the synchronous standbys, even after a transaction without writes.
    ///
    /// PostgreSQL does not wait at the commit of a transaction without writes. A repeated request finds the rows of the first request, and
    /// would be acknowledged even if the replication of the rows was canceled. The lock of a row counts as a write. Several transactions
    /// can hold a `FOR KEY SHARE` lock on the same row.
    package func requireReplication() throws {
        if !hasWritten { try connection.sendPrepared("SELECT number FROM probe WHERE app = '' AND partition = 0 FOR KEY SHARE") }
    }

    package func query<Value>(_ sql: String, _ arguments: [SQLValue], limit: Int, _ read: (any SQLRow) throws -> Value) throws -> [Value] {
        try connection.queryPrepared(PostgresStatement.translated(sql).text, arguments.map(\.postgresValue))
            .prefix(limit).map { try read(PostgresSQLRow(row: $0)) }
    }
}

extension SQLValue {
    package var postgresValue: PostgresValue {
        switch self {
        case .null: .null
        case .text(let text): .text(text)
        case .integer(let number): .int64(number)
        case .boolean(let flag): .bool(flag)
        case .bytes(let data): .bytes([UInt8](data))
        }
    }
}

/// A row of a PostgreSQL result.
struct PostgresSQLRow: SQLRow {
    let row: PostgresRow

    func text(_ column: String) throws -> String? { try row.textOrNull(column) }
    func integer(_ column: String) throws -> Int64? { try row.int64OrNull(column) }
    func boolean(_ column: String) throws -> Bool? { try row.boolOrNull(column) }
    func bytes(_ column: String) throws -> Data? { try row.bytesOrNull(column).map { Data($0) } }
}
