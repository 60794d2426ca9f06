/// Why a file cannot become a store, or be opened as one.
enum StoreFileRefusal: Hashable, Sendable {
    /// It is longer than is taken.
    case tooLarge(limit: Int)
    /// It has no bytes.
    case empty
    /// It is no SQLite database, or a torn one.
    case notDatabase
    /// It is a database of something else, or was made by a later version.
    case foreign
    /// It is a store's database with something in it that no store writes; the table is named.
    case damaged(table: String)
    /// It is a store's database with a time that no store reaches; what it is the time of, and its milliseconds since 1970.
    case implausible(String, milliseconds: Int64)

    /// What is wrong with the file: a sentence without its full stop.
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

    /// A sentence for whoever sent the file.
    var sentence: String { "\(finding); send all of what GET /control/v1/export gave." }
}
