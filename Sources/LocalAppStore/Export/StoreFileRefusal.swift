/// The reason for which a file cannot be imported or opened as a store.
enum StoreFileRefusal: Hashable, Sendable {
    /// The file is larger than the limit.
    case tooLarge(limit: Int)
    /// The file is empty.
    case empty
    /// The file is not an SQLite database, or is corrupt.
    case notDatabase
    /// The file is a database of another program, or of a later version.
    case foreign
    /// The file is a store's database with an invalid row in the named table.
    case damaged(table: String)
    /// The file is a store's database with a time out of range; the values are the time's name and its milliseconds since 1970.
    case implausible(String, milliseconds: Int64)

    /// The problem of the file: a sentence without its full stop.
    var finding: String {
        switch self {
        case .tooLarge(let limit): "The file is longer than the \(limit) bytes that are taken"
        case .empty: "The file is empty"
        case .notDatabase: "The file is no SQLite database, or is torn"
        case .foreign: "The file is no store's database, or that of a later version"
        case .damaged(let table): "The file holds something in \(table) that no store writes"
        case .implausible(let what, let milliseconds):
            "\(what) in the file is \(milliseconds) milliseconds since 1970, which no store reaches: "
                + "a store's time goes from \(StoreTime.range.lowerBound) to \(StoreTime.range.upperBound)"
        }
    }

    /// A sentence for the sender of the file.
    var sentence: String { "\(finding); send all of what GET /control/v1/export gave." }
}
