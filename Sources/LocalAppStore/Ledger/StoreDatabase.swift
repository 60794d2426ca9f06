import Foundation
import GRDB
import PrivateFiles
import PurchaseModel

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
    static let memoryPageSize = 512
    /// The bytes of a page in a file, which is SQLite's own choice.
    static let filePageSize = 4_096

    /// The `application_id` of a store's file: `TRLS`.
    static let applicationID: Int32 = 0x5452_4C53

    let writer: any DatabaseWriter
    private let isInMemory: Bool

    /// An empty database, from which those in memory are copied: to run the migrations takes longer than all else of a new store.
    private static let empty = Result {
        let queue = try makeQueue()
        try queue.write(mark)
        try migrator.migrate(queue)
        return queue
    }

    /// Opens the database and runs the migrations that it has not seen.
    ///
    /// - Parameter original: A file whose contents a database in memory begins with; it is up to date, and its pages have to be of
    ///   ``memoryPageSize``.
    init(_ location: DatabaseLocation, copying original: String? = nil) throws {
        switch location {
        case .memory:
            let queue = try Self.makeQueue()
            try (original.map { try DatabaseQueue(path: $0) } ?? Self.empty.get()).backup(to: queue)
            (writer, isInMemory) = (queue, true)
        case .file(let path):
            try Self.prepare(path)
            let pool = try DatabasePool(path: path, configuration: Self.configuration)
            // GRDB chooses NORMAL when it switches to write-ahead logging, which may forget the newest purchases when the power
            // goes; hence after opening.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try pool.write(Self.mark)
            try Self.migrator.migrate(pool)
            (writer, isInMemory) = (pool, false)
        }
    }

    /// Makes the file of a new store, or refuses one that is no store's, which stays as it is.
    ///
    /// - Throws: ``StoreFileError``.
    private static func prepare(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return try makeFile(path) }
        do {
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            guard size != 0 else { throw StoreError.storeFileUnusable(.empty) }
            let file = try DatabaseQueue(path: path, configuration: configuration)
            try file.read { db in
                guard try isStore(db) else { throw StoreError.storeFileUnusable(.foreign) }
                try StoreFile.checkTimes(db)
            }
            try file.close()
        } catch let error as DatabaseError where error.isOfContents {
            throw StoreFileError(path: path, refusal: .notDatabase)
        } catch StoreError.storeFileUnusable(let refusal) {
            throw StoreFileError(path: path, refusal: refusal)
        }
        try PrivateFiles.makeDatabase(path)
    }

    /// Makes a file with a database without purchases: beside its place first, so that nothing that is not whole ever stands there.
    private static func makeFile(_ path: String) throws {
        let new = path + ".new"
        StoreFile.remove(new)
        try PrivateFiles.makeDatabase(new)
        let file = try DatabaseQueue(path: new, configuration: configuration)
        try file.write(mark)
        try migrator.migrate(file)
        try file.close()
        // What a store left there that was moved away: SQLite would write its pages into the new file.
        StoreFile.remove(path)
        try DurableFile.move(new, to: path)
    }

    /// Whether a database is a store's, of this version or an earlier one.
    static func isStore(_ db: Database) throws -> Bool {
        // Before stores had a number, it was 0.
        let number = try Int32.fetchOne(db, sql: "PRAGMA application_id")
        guard number == applicationID || number == 0 else { return false }
        return try db.tableExists("grdb_migrations") && db.tableExists("settings") && !migrator.hasBeenSuperseded(db)
    }

    /// Says in a database that it is a store's.
    static func mark(_ db: Database) throws {
        guard try Int32.fetchOne(db, sql: "PRAGMA application_id") != applicationID else { return }
        try db.execute(sql: "PRAGMA application_id = \(applicationID)")
    }

    /// Reads one state of the database.
    ///
    /// In memory there is one connection, whose users wait for each other, so that no transaction is needed to see one state. Nobody
    /// changes threads for it either: that takes longer than to look something up.
    func read<Value: Sendable>(_ look: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await isInMemory ? readHere(look) : writer.read(look)
    }

    /// Writes in one transaction.
    func write<Value: Sendable>(_ change: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await isInMemory ? writeHere(change) : writer.write(change)
    }

    private func readHere<Value>(_ look: (Database) throws -> Value) throws -> Value { try writer.unsafeRead(look) }

    private func writeHere<Value>(_ change: (Database) throws -> Value) throws -> Value { try writer.write(change) }

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
