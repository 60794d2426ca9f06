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
    private let isInMemory: Bool

    /// An empty database, from which those in memory are copied: to run the migrations takes longer than all else of a new store.
    private static let empty = Result {
        let queue = try makeQueue()
        try migrator.migrate(queue)
        return queue
    }

    /// Opens the database and runs the migrations that it has not seen.
    ///
    /// - Parameter original: A file whose contents a database in memory begins with; it is up to date, and its pages have to be of
    ///   ``memoryPageSize``.
    init(_ location: StoreDatabaseLocation, copying original: String? = nil) throws {
        switch location {
        case .memory:
            let queue = try Self.makeQueue()
            try (original.map { try DatabaseQueue(path: $0) } ?? Self.empty.get()).backup(to: queue)
            (writer, isInMemory) = (queue, true)
        case .file(let path):
            let pool = try DatabasePool(path: path, configuration: Self.configuration)
            // GRDB chooses NORMAL when it switches to write-ahead logging, which may forget the newest purchases when the power
            // goes; hence after opening.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try Self.migrator.migrate(pool)
            (writer, isInMemory) = (pool, false)
        }
    }

    /// Reads one state of the database.
    ///
    /// In memory there is one connection, whose users wait for each other: no transaction is needed to see one state.
    func read<Value: Sendable>(_ look: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await isInMemory ? writer.unsafeRead(look) : writer.read(look)
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        return configuration
    }

    private static func makeQueue() throws -> DatabaseQueue {
        var configuration = configuration
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA page_size = \(memoryPageSize)") }
        return try DatabaseQueue(configuration: configuration)
    }
}
