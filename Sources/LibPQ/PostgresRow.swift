/// One row of a result, read by column name.
///
/// Each reader comes twice: the plain one refuses `NULL`, the other returns it as `nil`. Both throw
/// ``PostgresError/unreadable(column:)`` for a column that is missing or holds something else.
package struct PostgresRow: Sendable {
    private let result: PostgresResult
    private let position: Int

    init(result: PostgresResult, position: Int) {
        self.result = result
        self.position = position
    }

    /// Returns whether a column is `NULL`.
    package func isNull(_ column: String) throws(PostgresError) -> Bool {
        result.isNull(row: position, column: try place(of: column))
    }

    /// Returns text; every type can be read as text.
    package func text(_ column: String) throws(PostgresError) -> String {
        try present(try textOrNull(column), column)
    }

    /// Returns text, or `nil` for `NULL`.
    package func textOrNull(_ column: String) throws(PostgresError) -> String? {
        result.text(row: position, column: try place(of: column))
    }

    /// Returns a whole number.
    package func int64(_ column: String) throws(PostgresError) -> Int64 {
        try present(try int64OrNull(column), column)
    }

    /// Returns a whole number, or `nil` for `NULL`.
    package func int64OrNull(_ column: String) throws(PostgresError) -> Int64? {
        guard let text = try textOrNull(column) else {
            return nil
        }
        return try present(Int64(text), column)
    }

    /// Returns a truth value.
    package func bool(_ column: String) throws(PostgresError) -> Bool {
        try present(try boolOrNull(column), column)
    }

    /// Returns a truth value, or `nil` for `NULL`.
    package func boolOrNull(_ column: String) throws(PostgresError) -> Bool? {
        switch try textOrNull(column) {
        case nil: nil
        case "t": true
        case "f": false
        default: throw .unreadable(column: column)
        }
    }

    /// Returns the bytes of a `bytea`.
    package func bytes(_ column: String) throws(PostgresError) -> [UInt8] {
        try present(try bytesOrNull(column), column)
    }

    /// Returns the bytes of a `bytea`, or `nil` for `NULL`.
    package func bytesOrNull(_ column: String) throws(PostgresError) -> [UInt8]? {
        if try isNull(column) {
            return nil
        }
        return try present(result.bytes(row: position, column: try place(of: column)), column)
    }

    private func place(of column: String) throws(PostgresError) -> Int32 {
        try present(result.position(of: column), column)
    }

    private func present<Value>(_ value: Value?, _ column: String) throws(PostgresError) -> Value {
        guard let value else {
            throw .unreadable(column: column)
        }
        return value
    }
}
