import Foundation
import GRDB
import PrivateFiles

/// The store's SQLite database, opened with durable writes and migrated to the current version.
struct StoreDatabase: Sendable {
    /// The number before the first transaction identifier.
    ///
    /// The number is as large as in the App Store, so that tests find clients that store it in a 32-bit integer.
    static let numberBeforeFirstTransaction: Int64 = 2_000_000_000_000_000
    /// The number before the first `webOrderLineItemId`, as large as in the App Store.
    static let numberBeforeFirstOrderLine: Int64 = 3_000_000_000_000_000
    /// The number before the first `appTransactionId`, as large as in the App Store.
    static let numberBeforeFirstAppTransaction: Int64 = 700_000_000_000_000_000

    /// The page size of an in-memory database, in bytes.
    ///
    /// An empty store uses one page for each table and index, so small pages limit the memory of a host with a thousand unused stores.
    static let memoryPageSize = 512
    /// The page size of a database file, in bytes, which is SQLite's default.
    static let filePageSize = 4_096

    /// The `application_id` of a store's database file: `TRLS`.
    static let applicationID: Int32 = 0x5452_4C53

    let writer: any DatabaseWriter
    private let isInMemory: Bool

    /// The empty database that each new in-memory store copies, because running the migrations takes longer than the copy.
    private static let template = Result {
        let queue = try makeQueue()
        try queue.write(setApplicationID)
        try migrator.migrate(queue)
        return queue
    }

    /// Opens or creates a store's database and runs the pending migrations.
    ///
    /// - Parameter original: The path of a database file that an in-memory database copies, with the current schema and the page size
    ///   ``memoryPageSize``; nil for an empty store.
    /// - Throws: ``StoreFileError`` if the file exists and is not a valid store's database, or the error of the database.
    init(_ location: DatabaseLocation, copying original: String? = nil) throws {
        switch location {
        case .memory:
            let queue = try Self.makeQueue()
            try (original.map { try DatabaseQueue(path: $0) } ?? Self.template.get()).backup(to: queue)
            (writer, isInMemory) = (queue, true)
        case .file(let path):
            try Self.prepare(path)
            let pool = try DatabasePool(path: path, configuration: Self.configuration)
            // GRDB sets `synchronous` to NORMAL when it opens a pool with write-ahead logging. With NORMAL, a power failure can lose the
            // newest purchases, so this statement follows the opening.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try Self.migrator.migrate(pool)
            (writer, isInMemory) = (pool, false)
        }
    }

    /// Creates a database file if `path` does not exist, or checks that the existing file is a store's database, without changing it.
    ///
    /// - Throws: ``StoreFileError`` if the existing file is empty, is not a store's database, or contains invalid times.
    private static func prepare(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return try createFile(path) }
        do {
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            guard size != 0 else { throw ImportError.invalidStoreFile(.empty) }
            let file = try DatabaseQueue(path: path, configuration: configuration)
            try file.read { db in
                guard try isStore(db) else { throw ImportError.invalidStoreFile(.notStore) }
                try StoreFile.checkTimes(db)
            }
            try file.close()
        } catch let error as DatabaseError where error.isInvalidContents {
            throw StoreFileError(path: path, defect: .notDatabase)
        } catch ImportError.invalidStoreFile(let defect) {
            throw StoreFileError(path: path, defect: defect)
        }
        try PrivateFiles.createDatabase(path)
    }

    /// Creates a file with an empty database under a temporary name and renames it, so that an incomplete file never has the final name.
    private static func createFile(_ path: String) throws {
        let new = path + ".new"
        StoreFile.remove(new)
        try PrivateFiles.createDatabase(new)
        let file = try DatabaseQueue(path: new, configuration: configuration)
        try file.write(setApplicationID)
        try migrator.migrate(file)
        try file.close()
        // Files that SQLite left beside an earlier database of the same name (`-wal`, `-shm`) are removed first, because SQLite would apply
        // them to the new file.
        StoreFile.remove(path)
        try DurableFile.move(new, to: path)
    }

    /// Returns whether a database is a store's, of this version of the schema or an earlier one.
    static func isStore(_ db: Database) throws -> Bool {
        guard try Int32.fetchOne(db, sql: "PRAGMA application_id") == applicationID else { return false }
        return try db.tableExists("grdb_migrations") && db.tableExists("settings") && !migrator.hasBeenSuperseded(db)
    }

    /// Sets the `application_id` that identifies a database file as a store's.
    static func setApplicationID(_ db: Database) throws {
        try db.execute(sql: "PRAGMA application_id = \(applicationID)")
    }

    /// Runs a closure that reads a consistent snapshot of the database.
    ///
    /// An in-memory database has a single connection whose accesses are serialized, so a snapshot needs no transaction. The query runs on
    /// the current thread, because a change of threads takes longer than a query.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await isInMemory ? readOnCurrentThread(body) : writer.read(body)
    }

    /// Runs a closure in one database transaction, which is rolled back if the closure throws.
    func write<Value: Sendable>(_ change: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await isInMemory ? writeOnCurrentThread(change) : writer.write(change)
    }

    private func readOnCurrentThread<Value>(_ body: (Database) throws -> Value) throws -> Value { try writer.unsafeRead(body) }

    private func writeOnCurrentThread<Value>(_ change: (Database) throws -> Value) throws -> Value { try writer.write(change) }

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
