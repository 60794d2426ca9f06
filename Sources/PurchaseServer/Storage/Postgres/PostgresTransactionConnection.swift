import Foundation
import LibPQ

/// A connection to a PostgreSQL database during a transaction.
final class PostgresTransactionConnection: SQLConnection {
    let claimLock = "FOR UPDATE SKIP LOCKED"

    private let connection: PostgresConnection
    /// Whether a statement can have changed a row since the caller has set this to false.
    var hasSentChanges = false
    /// Whether a statement certainly wrote a row.
    private var hasWritten = false

    init(_ connection: PostgresConnection) {
        self.connection = connection
    }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws {
        hasSentChanges = true
        try connection.sendPrepared(PostgresStatement.text(sql), arguments.map(\.postgresValue))
        // An INSERT without a condition writes a row or fails; the number of rows of another statement is unknown.
        if sql.hasPrefix("INSERT"), !sql.contains("DO NOTHING"), !sql.contains("WHERE") { hasWritten = true }
    }

    func changes(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        let count = try connection.queryPrepared(PostgresStatement.text(sql), arguments.map(\.postgresValue)).affectedRows
        if count > 0 { (hasSentChanges, hasWritten) = (true, true) }
        return count
    }

    /// Makes the commit wait for the synchronous standbys, also if the transaction wrote nothing.
    ///
    /// Otherwise a repeated request would be acknowledged that finds the rows of the first one, whose replication was canceled: PostgreSQL
    /// does not wait at the commit of a transaction without writes. The lock of a row is a write, and does not conflict with other locks of its kind.
    func requireReplication() throws {
        if !hasWritten { try connection.sendPrepared("SELECT number FROM probe WHERE app = '' AND partition = 0 FOR KEY SHARE") }
    }

    func query<Value>(_ sql: String, _ arguments: [SQLValue], limit: Int, _ read: (any SQLRow) throws -> Value) throws -> [Value] {
        try connection.queryPrepared(PostgresStatement.text(sql), arguments.map(\.postgresValue))
            .prefix(limit).map { try read(PostgresSQLRow(row: $0)) }
    }
}

extension SQLValue {
    var postgresValue: PostgresValue {
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
