/// Why a file cannot become a store.
enum StoreFileRefusal: Hashable, Sendable {
    /// It is longer than is taken.
    case tooLarge(limit: Int)
    /// It is no SQLite database, or a torn one.
    case notDatabase
    /// It is a database of something else, or was made by a later version.
    case foreign
    /// It is a store's database with something in it that no store writes; the table is named.
    case damaged(table: String)

    /// A sentence for whoever sent it.
    var sentence: String {
        switch self {
        case .tooLarge(let limit): "The file is longer than the \(limit) bytes that are taken."
        case .notDatabase: "The file is no SQLite database, or is torn; send what GET /control/v1/export gave, all of it."
        case .foreign: "The file is no store's database, or that of a later version; send what GET /control/v1/export gave."
        case .damaged(let table): "The file holds something in \(table) that no store writes; send what GET /control/v1/export gave."
        }
    }
}
