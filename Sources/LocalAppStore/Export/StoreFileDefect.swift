/// The reason for which a file cannot be imported or opened as a store.
enum StoreFileDefect: Hashable, Sendable {
    /// The file is larger than the limit.
    case tooLarge(limit: Int)
    /// The file is empty.
    case empty
    /// The file is not an SQLite database, or is corrupt.
    case notDatabase
    /// The file is a database of another program, or of a later version.
    case notStore
    /// The file is a store's database with an invalid row in the named table.
    case invalidTable(table: String)
    /// The file is a store's database with a time out of range; the values are the time's name and its milliseconds since 1970.
    case timeOutOfRange(String, milliseconds: Int64)

    /// The problem of the file: a sentence without its full stop.
    var summary: String {
        switch self {
        case .tooLarge(let limit): "The file is larger than the limit of \(limit) bytes"
        case .empty: "The file is empty"
        case .notDatabase: "The file is corrupt or not an SQLite database"
        case .notStore: "The file is not a store's database, or comes from a later version"
        case .invalidTable(let table): "The table \(table) has an invalid row"
        case .timeOutOfRange(let what, let milliseconds):
            "\(what) in the file is \(milliseconds) milliseconds since 1970; "
                + "the supported range is \(StoreTime.range.lowerBound) to \(StoreTime.range.upperBound)"
        }
    }

    /// A sentence for the sender of the file.
    var message: String { "\(summary); send a complete file from GET /control/v1/export." }
}
