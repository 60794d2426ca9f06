package import Foundation

/// A connection to a database during a transaction.
///
/// The statements use the dialect that SQLite and PostgreSQL share, with the parameters `?`, or `?1` for the first parameter.
package protocol SQLConnection {
    /// The clause that locks the rows of a query, and skips the rows that another transaction has locked; empty for a database with one
    /// writer.
    var claimLock: String { get }

    /// Executes a statement.
    ///
    /// A connection may send the statement without waiting for the result. The next query, or the commit, then throws the error of the
    /// statement.
    func execute(_ sql: String, _ arguments: [SQLValue]) throws

    /// Executes a statement whose repetition changes nothing.
    ///
    /// A connection may omit a repetition in the same transaction.
    func executeOnce(_ sql: String, _ arguments: [SQLValue]) throws

    /// Executes a statement, and returns the number of changed rows.
    func changes(_ sql: String, _ arguments: [SQLValue]) throws -> Int

    /// Returns a value from each row of a query, at most `limit` rows.
    ///
    /// A row is valid only during the call of `read`.
    func query<Value>(_ sql: String, _ arguments: [SQLValue], limit: Int, _ read: (any SQLRow) throws -> Value) throws -> [Value]
}

extension SQLConnection {
    package func executeOnce(_ sql: String, _ arguments: [SQLValue]) throws { try execute(sql, arguments) }
}

/// The value of a parameter of a statement.
package enum SQLValue: Hashable, Codable, Sendable {
    case null
    case text(String)
    case integer(Int64)
    case boolean(Bool)
    case bytes(Data)
}

/// A type whose values can be parameters of statements.
package protocol SQLConvertible {
    var sqlValue: SQLValue { get }
}

extension String: SQLConvertible {
    package var sqlValue: SQLValue { .text(self) }
}

extension Int: SQLConvertible {
    package var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Int64: SQLConvertible {
    package var sqlValue: SQLValue { .integer(self) }
}

extension Bool: SQLConvertible {
    package var sqlValue: SQLValue { .boolean(self) }
}

extension Data: SQLConvertible {
    package var sqlValue: SQLValue { .bytes(self) }
}

/// A row of a query's result.
///
/// Each method returns the value of a column, or nil for `NULL`, and throws ``StorageError`` for a column that is missing or has another
/// type. A subscript whose value is not optional also throws for `NULL`.
package protocol SQLRow {
    func text(_ column: String) throws -> String?
    func integer(_ column: String) throws -> Int64?
    func boolean(_ column: String) throws -> Bool?
    func bytes(_ column: String) throws -> Data?
}

extension SQLRow {
    package subscript(_ column: String) -> String? {
        get throws { try text(column) }
    }

    package subscript(_ column: String) -> Int64? {
        get throws { try integer(column) }
    }

    package subscript(_ column: String) -> String {
        get throws { try required(text(column), column) }
    }

    package subscript(_ column: String) -> Int64 {
        get throws { try required(integer(column), column) }
    }

    package subscript(_ column: String) -> Int {
        get throws { try required(Int(exactly: required(integer(column), column)), column) }
    }

    package subscript(_ column: String) -> Bool {
        get throws { try required(boolean(column), column) }
    }

    package subscript(_ column: String) -> Data? {
        get throws { try bytes(column) }
    }

    package subscript(_ column: String) -> Data {
        get throws { try required(bytes(column), column) }
    }

    private func required<Value>(_ value: Value?, _ column: String) throws -> Value {
        guard let value else { throw StorageError.failed("column \(column)") }
        return value
    }
}
