/// One row of a result, with access by column name.
///
/// Each method has two versions: `text` throws ``PostgresError/unreadable(column:)`` for `NULL`, and `textOrNull` returns nil. Both throw
/// the error for a column that is missing or has another type.
package struct PostgresRow: Sendable {
    private let result: PostgresResult
    private let position: Int

    init(result: PostgresResult, position: Int) {
        self.result = result
        self.position = position
    }

    /// Returns whether the value of a column is `NULL`.
    package func isNull(_ column: String) throws(PostgresError) -> Bool {
        result.isNull(row: position, column: try columnIndex(of: column))
    }

    /// Returns the text of a column of any type.
    package func text(_ column: String) throws(PostgresError) -> String {
        try require(try textOrNull(column), column)
    }

    /// Returns the text of a column of any type, or nil for `NULL`.
    package func textOrNull(_ column: String) throws(PostgresError) -> String? {
        result.text(row: position, column: try columnIndex(of: column))
    }

    /// Returns the value of an integer column.
    package func int64(_ column: String) throws(PostgresError) -> Int64 {
        try require(try int64OrNull(column), column)
    }

    /// Returns the value of an integer column, or nil for `NULL`.
    package func int64OrNull(_ column: String) throws(PostgresError) -> Int64? {
        guard let text = try textOrNull(column) else {
            return nil
        }
        return try require(Int64(text), column)
    }

    /// Returns the value of a Boolean column.
    package func bool(_ column: String) throws(PostgresError) -> Bool {
        try require(try boolOrNull(column), column)
    }

    /// Returns the value of a Boolean column, or nil for `NULL`.
    package func boolOrNull(_ column: String) throws(PostgresError) -> Bool? {
        switch try textOrNull(column) {
        case nil: nil
        case "t": true
        case "f": false
        default: throw .unreadable(column: column)
        }
    }

    /// Returns the bytes of a `bytea` column.
    package func bytes(_ column: String) throws(PostgresError) -> [UInt8] {
        try require(try bytesOrNull(column), column)
    }

    /// Returns the bytes of a `bytea` column, or nil for `NULL`.
    package func bytesOrNull(_ column: String) throws(PostgresError) -> [UInt8]? {
        if try isNull(column) {
            return nil
        }
        return try require(result.bytes(row: position, column: try columnIndex(of: column)), column)
    }

    private func columnIndex(of column: String) throws(PostgresError) -> Int32 {
        try require(result.position(of: column), column)
    }

    private func require<Value>(_ value: Value?, _ column: String) throws(PostgresError) -> Value {
        guard let value else {
            throw .unreadable(column: column)
        }
        return value
    }
}
