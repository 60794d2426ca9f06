import Foundation
import FoundationExtras
package import PurchaseModel
import PurchaseProof

/// A transaction of a SQL database, which reads and writes the records of one app.
///
/// Each feature's folder extends this type with the statements for its records, which SQLite and PostgreSQL share.
package struct SQLTransaction: StorageTransaction {
    package let app: BundleID
    package let connection: any SQLConnection

    /// Creates a transaction of an app over a connection.
    package init(app: BundleID, connection: any SQLConnection) {
        self.app = app
        self.connection = connection
    }

    /// Executes a statement.
    ///
    /// Each connection prepares a statement once. The first argument `?1` is the app. The next query, or the commit, can throw the error of
    /// the statement.
    package func execute(_ sql: String, _ arguments: (any SQLConvertible)?...) throws {
        try connection.execute(sql, bound(arguments))
    }

    /// Executes a statement with arguments in an array.
    package func execute(_ sql: String, _ arguments: [(any SQLConvertible)?]) throws {
        try connection.execute(sql, bound(arguments))
    }

    /// Executes a statement whose first argument `?1` is the app, and returns the number of changed rows.
    package func changes(_ sql: String, _ arguments: (any SQLConvertible)?...) throws -> Int {
        try connection.changes(sql, bound(arguments))
    }

    /// Executes a statement with arguments in an array, and returns the number of changed rows.
    package func changes(_ sql: String, _ arguments: [(any SQLConvertible)?]) throws -> Int {
        try connection.changes(sql, bound(arguments))
    }

    /// Returns a value from the first row of a query whose first argument `?1` is the app.
    package func first<Value>(_ sql: String, _ arguments: (any SQLConvertible)?..., read: (any SQLRow) throws -> Value) throws -> Value? {
        try connection.query(sql, bound(arguments), limit: 1, read).first
    }

    /// Returns a value from each row of a query whose first argument `?1` is the app.
    package func all<Value>(_ sql: String, _ arguments: (any SQLConvertible)?..., read: (any SQLRow) throws -> Value) throws -> [Value] {
        try connection.query(sql, bound(arguments), limit: .max, read)
    }

    /// Returns the arguments of a statement, the first of which is the app.
    package func bound(_ arguments: [(any SQLConvertible)?]) -> [SQLValue] {
        [.text(app.rawValue)] + arguments.map { $0?.sqlValue ?? .null }
    }

    /// Returns a statement that inserts a row, or replaces the row with the same key.
    ///
    /// - Parameters:
    ///   - key: The columns of the primary key, the first of which is `app`.
    ///   - columns: The other columns.
    package static func upsert(_ table: String, key: [String], _ columns: [String]) -> String {
        let all = key + columns
        let values = (1...max(1, all.count)).map { "?\($0)" }
        let changes = columns.map { "\($0) = excluded.\($0)" }
        return """
            INSERT INTO \(table) (\(all.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))
            ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET \(changes.joined(separator: ", "))
            """
    }

    /// Encodes a value for a column with JSON.
    package func json(_ value: some Encodable) throws -> String {
        String(decoding: try WireJSON.encode(value), as: UTF8.self)
    }

    /// Decodes a column's value, which is a JSON object that the server encoded.
    ///
    /// `UnambiguousJSON` is several times as fast as `JSONDecoder`.
    package func record<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
        try UnambiguousJSON.decode(type, from: Array(json.utf8), in: "record")
    }

    /// Decodes the value of a column with JSON.
    package func value<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
        try WireJSON.decode(type, from: Data(json.utf8))
    }
}
