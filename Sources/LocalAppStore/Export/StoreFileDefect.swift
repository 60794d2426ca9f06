/// A reason for which a file cannot be imported or opened as a store's database.
enum StoreFileDefect: Hashable, Sendable {
    /// The file is larger than `limit` bytes.
    case tooLarge(limit: Int)
    /// The file is empty.
    case empty
    /// The file is not an SQLite database, or is corrupt.
    case notDatabase
    /// The file is a database of another program, or of a later version of this program.
    case notStore
    /// The file is a store's database, but a row of the named table is invalid.
    case invalidTable(table: String)
    /// The file is a store's database, but it contains a time that is out of range.
    ///
    /// The associated values are the name of the time and its value in milliseconds since 1970.
    case timeOutOfRange(String, milliseconds: Int64)

    /// A description of the defect: a sentence without a period at the end.
    var summary: String {
        switch self {
        case .tooLarge(let limit): "The file is larger than the limit of \(limit) bytes"
        case .empty: "The file is empty"
        case .notDatabase: "The file is corrupt or not an SQLite database"
        case .notStore: "The file is not a store's database, or comes from a later version"
        case .invalidTable(let table): "The table \(table) of the store's database has an invalid row"
        case .timeOutOfRange(let what, let milliseconds):
            "\(what) in the file is \(milliseconds) milliseconds since 1970; "
                + "the supported range is \(StoreTime.range.lowerBound) to \(StoreTime.range.upperBound)"
        }
    }

    /// A sentence with the defect and its solution, for the client that sent the file.
    var message: String { "\(summary); send a complete file from GET /control/v1/export." }
}

/// The error of a store's database file that cannot be opened; the file stays unchanged.
struct StoreFileError: Error, CustomStringConvertible {
    /// The path of the database file.
    let path: String
    /// The reason for which the file cannot be opened.
    let defect: StoreFileDefect

    /// A message with the path, the reason and the solution.
    var description: String {
        "\(path): \(defect.summary). Replace it with a file from `tillroll store export`, or move it away to start with a new store."
    }
}
