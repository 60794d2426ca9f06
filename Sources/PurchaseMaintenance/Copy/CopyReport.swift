/// An event that a copy of a database reports while it runs.
public enum CopyEvent: Hashable, Sendable {
    /// An interrupted copy continues; the associated value is the number of rows that were copied before.
    case continued(rows: Int64)
    /// The number of copied and compared rows, and the number of all rows to copy and to compare.
    case progress(completed: Int64, total: Int64, pass: CopyPass)
    /// A row differs between the databases; a copy reports at most ``DatabaseCopy/reportedDifferences`` rows.
    case difference(CopyDifference)
}

/// A pass of a copy over all rows.
public enum CopyPass: String, Codable, Hashable, Sendable {
    /// The copy of the rows to the destination.
    case copy
    /// The comparison of the rows of both databases.
    case comparison
}

/// A row that differs between the databases after a copy.
///
/// The difference contains the key of the row and no other value, because the values include personal data.
public struct CopyDifference: Codable, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a difference.
    public enum Kind: String, Codable, Hashable, Sendable {
        /// The destination lacks the row.
        case missing
        /// Only the destination has the row.
        case unexpected
        /// The row has different values in the two databases.
        case changed
    }

    /// The name of the table.
    public let table: String
    /// The values of the primary key; bytes are in hexadecimal.
    public let key: [String]
    /// The kind of the difference.
    public let kind: Kind
    /// The columns with different values; empty unless the row is ``Kind/changed``.
    public let columns: [String]

    /// The difference as a line of text.
    public var description: String {
        let row = "\(table) (\(key.joined(separator: ", ")))"
        switch kind {
        case .missing: return "\(row): the destination lacks the row"
        case .unexpected: return "\(row): only the destination has the row"
        case .changed: return "\(row): different values of \(columns.joined(separator: ", "))"
        }
    }
}

/// The result of a copy.
public struct CopyReport: Codable, Hashable, Sendable {
    /// The number of tables.
    public var tables: Int
    /// The number of rows of the source.
    public var rows: Int64
    /// The number of rows that differ.
    public var differences: Int64

    /// The report as a line of text.
    public var summary: String { "Rows: \(rows), tables: \(tables), differences: \(differences)" }
}

/// The reason why a database is not copied.
public enum CopyError: Error, Hashable, Sendable {
    /// The source or the destination is a database in memory, which ends with its process.
    case memory
    /// Source and destination are the same database.
    case sameDatabase
    /// The file of the source does not exist.
    case noSource(path: String)
    /// The PostgreSQL database of the source has no tables of a server.
    case emptySource
    /// The source is the destination of an unfinished copy.
    case unfinishedSource
    /// The destination has rows in `table`, and perhaps in other tables.
    case notEmpty(table: String)
    /// The destination is an unfinished copy of another source.
    case otherSource
    /// Another process copies to the same destination.
    case anotherCopy
    /// Only one of the databases has these tables, or their columns differ.
    case differentTables([String])
    /// A value of the source can't be stored in every database, such as a text with a null character.
    case unreadable(table: String, column: String)
}

extension CopyError: CustomStringConvertible {
    /// A sentence that describes the error, and a sentence that states the correction.
    public var description: String {
        switch self {
        case .memory: "A database in memory can't be copied. Name the path of a file, or a postgresql:// URI."
        case .sameDatabase: "Source and destination are the same database. Name two databases."
        case .noSource(let path): "The source \(path) does not exist. Name the file of the server's database with --from."
        case .emptySource: "The source has no tables of tillroll-server. Name the server's database with --from."
        case .unfinishedSource: "The source is an unfinished copy. Complete that copy first."
        case .notEmpty(let table):
            "The destination has rows, such as in the table \(table). Name an empty database, or a file that does not exist, with --to."
        case .otherSource:
            "The destination is an unfinished copy of another source. Name the source of the unfinished copy with --from, name "
                + "another destination with --to, or begin again with --restart."
        case .anotherCopy: "Another process copies to the same destination. Repeat the command after the end of that process."
        case .differentTables(let names):
            "Tables differ between the databases: \(names.joined(separator: ", ")). Remove tables that are not of tillroll-server."
        case .unreadable(let table, let column):
            "A row of \(table) has a value of \(column) that is not valid, such as a text with a null character. Correct the value."
        }
    }
}
