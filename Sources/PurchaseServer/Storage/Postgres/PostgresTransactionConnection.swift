import Foundation
import LibPQ

/// A connection to a PostgreSQL database during a transaction.
struct PostgresTransactionConnection: SQLConnection {
    let connection: PostgresConnection

    func execute(_ sql: String, _ arguments: [SQLValue]) throws {
        try connection.sendPrepared(PostgresStatement.text(sql), arguments.map(\.postgresValue))
    }

    func changes(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try connection.queryPrepared(PostgresStatement.text(sql), arguments.map(\.postgresValue)).affectedRows
    }

    func query<Value>(_ sql: String, _ arguments: [SQLValue], limit: Int, _ read: (any SQLRow) throws -> Value) throws -> [Value] {
        try connection.queryPrepared(PostgresStatement.text(sql), arguments.map(\.postgresValue))
            .prefix(limit).map { try read(PostgresSQLRow(row: $0)) }
    }
}

extension SQLValue {
    fileprivate var postgresValue: PostgresValue {
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
private struct PostgresSQLRow: SQLRow {
    let row: PostgresRow

    func text(_ column: String) throws -> String? { try row.textOrNull(column) }
    func integer(_ column: String) throws -> Int64? { try row.int64OrNull(column) }
    func boolean(_ column: String) throws -> Bool? { try row.boolOrNull(column) }
    func bytes(_ column: String) throws -> Data? { try row.bytesOrNull(column).map { Data($0) } }
}
