import CLibPQ

/// What a statement answered: rows, and how many it touched.
///
/// The rows stay where libpq put them and are released with the last reference to the result or one of its rows.
///
/// Unchecked because libpq promises what the compiler cannot see: "PGresult objects are normally read-only after
/// creation, and so can be passed around freely between threads"
/// (<https://www.postgresql.org/docs/current/libpq-threading.html>).
@safe
package final class PostgresResult: @unchecked Sendable {
    private let handle: OpaquePointer

    /// Takes ownership of `handle`.
    init(owning handle: OpaquePointer) {
        unsafe self.handle = handle
    }

    deinit {
        unsafe PQclear(handle)
    }

    /// The names of the columns, from left to right.
    package var columns: [String] {
        (0..<(unsafe PQnfields(handle))).map { column in
            unsafe PQfname(handle, column).map { unsafe String(cString: $0) } ?? ""
        }
    }

    /// The number of rows inserted, updated, deleted or selected; zero for statements that touch none.
    package var affectedRows: Int {
        Int(unsafe String(cString: PQcmdTuples(handle))) ?? 0
    }

    /// The place of a column; like SQL, it folds names to lower case unless they are quoted.
    func position(of column: String) -> Int32? {
        let position = unsafe PQfnumber(handle, column)
        return position >= 0 ? position : nil
    }

    /// The text of a cell; `nil` is `NULL`.
    func text(row: Int, column: Int32) -> String? {
        unsafe pointer(row: row, column: column).map { unsafe String(cString: $0) }
    }

    /// The bytes of a `bytea` cell, in either of its two text formats; `nil` is `NULL`, or a cell of another type.
    func bytes(row: Int, column: Int32) -> [UInt8]? {
        guard isBytes(column), let text = unsafe pointer(row: row, column: column) else {
            return nil
        }
        var count = 0
        let bytes = unsafe UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
        guard let unescaped = unsafe PQunescapeBytea(bytes, &count) else {
            return nil
        }
        defer { unsafe PQfreemem(unescaped) }
        return unsafe Array(UnsafeBufferPointer(start: unescaped, count: count))
    }

    /// Whether a column is a `bytea`; its type number has been 17 since PostgreSQL had type numbers.
    func isBytes(_ column: Int32) -> Bool {
        unsafe PQftype(handle, column) == 17
    }

    /// Whether a cell is `NULL`, as every cell outside the table is.
    func isNull(row: Int, column: Int32) -> Bool {
        unsafe pointer(row: row, column: column) == nil
    }

    private func pointer(row: Int, column: Int32) -> UnsafeMutablePointer<CChar>? {
        guard let row = Int32(exactly: row), unsafe PQgetisnull(handle, row, column) == 0 else {
            return nil
        }
        return unsafe PQgetvalue(handle, row, column)
    }
}

extension PostgresResult: RandomAccessCollection {
    /// The position of the first row.
    package var startIndex: Int { 0 }

    /// The position behind the last row.
    package var endIndex: Int {
        Int(unsafe PQntuples(handle))
    }

    /// The row at a position.
    package subscript(position: Int) -> PostgresRow {
        PostgresRow(result: self, position: position)
    }
}
