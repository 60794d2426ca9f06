import GRDB

/// The store's SQLite database: opened durable, and brought up to date.
struct StoreDatabase: Sendable {
    /// The first transaction gets the next number; large, as the App Store's are, so that nobody reads them into 32 bits.
    static let numberBeforeFirstTransaction: Int64 = 2_000_000_000_000_000
    /// The same for the purchases of subscription periods.
    static let numberBeforeFirstOrderLine: Int64 = 3_000_000_000_000_000
    /// The same for what names a customer of an app (`appTransactionId`).
    static let numberBeforeFirstAppTransaction: Int64 = 700_000_000_000_000_000

    /// The bytes of a page in memory: a store without purchases has a page for each table and index, and small pages keep a thousand
    /// idle stores small.
    static let memoryPageSize = 1_024
    /// The bytes of a page in a file, which is SQLite's own choice.
    static let filePageSize = 4_096

    let writer: any DatabaseWriter

    /// Opens the database and runs the migrations that it has not seen.
    ///
    /// - Parameter original: A file whose contents a database in memory begins with; its pages have to be of ``memoryPageSize``.
    init(_ location: StoreDatabaseLocation, copying original: String? = nil) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        switch location {
        case .memory:
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA page_size = \(Self.memoryPageSize)") }
            writer = try DatabaseQueue(configuration: configuration)
            if let original { try DatabaseQueue(path: original).backup(to: writer) }
        case .file(let path):
            writer = try DatabasePool(path: path, configuration: configuration)
        }
        // GRDB chooses NORMAL when it switches to write-ahead logging, which may forget the newest purchases when the power
        // goes; hence after opening.
        try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        try Self.migrator.migrate(writer)
    }
}
