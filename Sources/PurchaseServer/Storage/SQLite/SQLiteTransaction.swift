import Foundation
import GRDB
import PurchaseModel
import PurchaseProof

/// A transaction of a SQLite database, which reads and writes the records of one app.
///
/// Each feature's folder extends this type with the statements for its records.
struct SQLiteTransaction: StorageTransaction {
    let app: BundleID
    let db: Database

    /// Executes a statement, and returns the number of rows that it changed.
    ///
    /// The statement is prepared once for each connection. Its first argument `?1` is the app.
    @discardableResult
    func execute(_ sql: String, _ arguments: (any DatabaseValueConvertible)?...) throws -> Int {
        try db.cachedStatement(sql: sql).execute(arguments: bound(arguments))
        return db.changesCount
    }

    /// Returns the first row of a query whose first argument `?1` is the app.
    func row(_ sql: String, _ arguments: (any DatabaseValueConvertible)?...) throws -> Row? {
        try Row.fetchOne(db.cachedStatement(sql: sql), arguments: bound(arguments))
    }

    /// Returns the rows of a query whose first argument `?1` is the app.
    func rows(_ sql: String, _ arguments: (any DatabaseValueConvertible)?...) throws -> [Row] {
        try Row.fetchAll(db.cachedStatement(sql: sql), arguments: bound(arguments))
    }

    /// Returns a value from the first row of a query whose first argument `?1` is the app.
    ///
    /// A copied row finds a column in several times as much time as `read` takes with the row of the statement, which is valid during the
    /// call only.
    func first<Value>(
        _ sql: String, _ arguments: (any DatabaseValueConvertible)?..., read: (Row) throws -> Value
    ) throws -> Value? {
        let cursor = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: bound(arguments))
        // The end of the cursor's life resets the statement, and so the row.
        return try withExtendedLifetime(cursor) { try cursor.next().map(read) }
    }

    /// Returns a value from each row of a query whose first argument `?1` is the app; see ``first(_:_:read:)``.
    func all<Value>(
        _ sql: String, _ arguments: (any DatabaseValueConvertible)?..., read: (Row) throws -> Value
    ) throws -> [Value] {
        let cursor = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: bound(arguments))
        var values: [Value] = []
        while let row = try cursor.next() { values.append(try read(row)) }
        return values
    }

    private func bound(_ arguments: [(any DatabaseValueConvertible)?]) -> StatementArguments {
        StatementArguments([app.rawValue] + arguments)
    }

    /// Encodes a value for a column with JSON.
    func json(_ value: some Encodable) throws -> String {
        String(decoding: try WireJSON.encode(value), as: UTF8.self)
    }

    /// Decodes the value of a column with a JSON object that the server encoded.
    ///
    /// Its decoder is several times as fast as `JSONDecoder`.
    func record<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
        try UnambiguousJSON.decode(type, from: Array(json.utf8), in: "record")
    }

    /// Decodes the value of a column with JSON.
    func value<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
        try WireJSON.decode(type, from: Data(json.utf8))
    }
}
