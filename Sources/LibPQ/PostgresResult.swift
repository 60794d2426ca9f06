import CLibPQ

/// The result of a statement: its rows, and the number of affected rows.
///
/// The memory of the rows belongs to libpq, and is freed with the last reference to the result or to one of its rows.
///
/// The conformance to `Sendable` is unchecked, because it relies on libpq's guarantee: "PGresult objects are normally read-only after
/// creation, and so can be passed around freely between threads" (<https://www.postgresql.org/docs/current/libpq-threading.html>).
@safe
package final class PostgresResult: @unchecked Sendable {
    private let handle: OpaquePointer

    /// Creates a result that owns a `PGresult` of libpq and frees it.
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

    /// The number of inserted, updated, deleted or selected rows; 0 for other statements.
    package var affectedRows: Int {
        Int(unsafe String(cString: PQcmdTuples(handle))) ?? 0
    }

    /// The command that the server executed, such as `COMMIT` or `INSERT 0 1`.
    var command: String {
        unsafe String(cString: PQcmdStatus(handle))
    }

    /// Returns the index of the column with a name; nil if there is none.
    ///
    /// A name without quotes is converted to lower case, as in SQL.
    func position(of column: String) -> Int32? {
        let position = unsafe PQfnumber(handle, column)
        return position >= 0 ? position : nil
    }

    /// Returns the text of a cell; nil for `NULL`.
    func text(row: Int, column: Int32) -> String? {
        unsafe pointer(row: row, column: column).map { unsafe String(cString: $0) }
    }

    /// Returns the bytes of a `bytea` cell, in hex or escape format; nil for `NULL`, and for a cell of another type.
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

    /// Returns whether a column's type is `bytea`, which has the object identifier 17 in all versions of PostgreSQL.
    func isBytes(_ column: Int32) -> Bool {
        unsafe PQftype(handle, column) == 17
    }

    /// Returns whether a cell is `NULL`; returns true for a cell outside the result.
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
    /// The index of the first row.
    package var startIndex: Int { 0 }

    /// The index after the last row.
    package var endIndex: Int {
        Int(unsafe PQntuples(handle))
    }

    /// Accesses the row at an index.
    package subscript(position: Int) -> PostgresRow {
        PostgresRow(result: self, position: position)
    }
}
