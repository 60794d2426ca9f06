package import Foundation
package import GRDB
import PrivateFiles
package import PurchaseModel

/// Stores a server's records in a SQLite database, in one file or in memory.
///
/// Writes run one at a time, and concurrent requests share a commit. A commit returns after the disk has stored the changes
/// (`PRAGMA synchronous = FULL`). Reads run at the same time as writes, on other connections.
package struct SQLitePurchaseStorage: SQLPurchaseStorage {
    /// The location of the database.
    package enum Location {
        /// A database in memory, which is lost when the process ends.
        case memory
        /// A file at this path; the storage creates a missing file.
        case file(String)
    }

    /// The connections to the database, which a copy to another database uses directly.
    package let writer: any DatabaseWriter
    private let reads: GroupRead
    private let commits: GroupCommit
    /// Returns the number of free bytes on the database's disk; nil for a database in memory, or for an unknown number.
    private let freeBytes: @Sendable () -> Int64?

    /// The minimum number of free bytes on the disk of a ready server; a test write may succeed on a full disk by replacing pages of the
    /// log.
    private static let requiredFreeBytes: Int64 = 16 << 20

    /// The time in seconds for which a process waits while another process creates or migrates the tables.
    private static let lockSeconds = 60

    /// The number of pages in the log (40 MB) after which a commit copies the log to the database.
    ///
    /// Keys are random, so each commit changes pages in all parts of the database. SQLite's default of 1,000 pages would copy and flush the
    /// same pages many times.
    private static let checkpointPages = 10_000

    /// The maximum size of the page cache of the connection that writes, and of each connection that reads, in KiB.
    ///
    /// The cache must hold the pages that a commit of many requests changes. With a smaller cache, SQLite would write changed pages to the
    /// log before the commit, and read the pages again.
    private static let cacheSizes = (writer: 65_536, reader: 16_384)

    /// Opens the database, and creates or migrates its tables.
    ///
    /// - Parameters:
    ///   - busyTimeout: The time in seconds for which a write waits for the lock of another process.
    ///   - freeBytes: Returns the free bytes of the disk; nil to query the file system.
    /// - Throws: ``SchemaError`` if the database belongs to another program or a newer version; otherwise an error of SQLite.
    package init(_ location: Location, busyTimeout: TimeInterval = 5, freeBytes: (@Sendable () -> Int64?)? = nil) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        // Permit an open transaction after a failed rollback, such as after a disk error; otherwise GRDB stops the process.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { db in
            let size = db.configuration.readonly ? Self.cacheSizes.reader : Self.cacheSizes.writer
            try db.execute(sql: "PRAGMA cache_size = -\(size)")
        }
        switch location {
        case .memory:
            self.freeBytes = freeBytes ?? { nil }
            writer = try DatabaseQueue(configuration: configuration)
            try Self.prepare(writer)
            try SQLiteSchema.migrate(writer, of: nil)
            commits = GroupCommit(writer) {}
        case .file(let path):
            self.freeBytes =
                freeBytes ?? {
                    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
                    return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
                }
            writer = try Self.lockingFolder(of: path) {
                try SQLiteSchema.check(path)
                try PrivateFiles.createDatabase(path)
                let pool = try DatabasePool(path: path, configuration: configuration)
                try Self.prepare(pool)
                try SQLiteSchema.migrate(pool, of: path)
                return pool
            }
            let opened = FileIdentity(path)
            commits = GroupCommit(writer) { () throws(StorageError) in
                guard FileIdentity(path) == opened else { throw .fileReplaced }
            }
        }
        reads = GroupRead(writer)
    }

    /// Opens a database file with a lock that excludes other processes from opening a database file in the folder.
    ///
    /// Without the lock, two processes could create the same tables or change the journal mode of a new file at the same time, which SQLite
    /// refuses. A lock of the database file itself would end when any descriptor of the file in this process is closed.
    private static func lockingFolder<Value>(of path: String, _ open: () throws -> Value) throws -> Value {
        do {
            return try LockedFile.withFolder(URL(filePath: path).deletingLastPathComponent().path, seconds: lockSeconds, open)
        } catch let failure as LockedFile.Failure {
            throw DatabaseError(resultCode: failure == .busy ? .SQLITE_BUSY : .SQLITE_CANTOPEN)
        }
    }

    private static func prepare(_ writer: any DatabaseWriter) throws {
        // Set FULL after opening, because GRDB's pool sets NORMAL on opening, which can lose commits in a power failure.
        try writer.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL")
            // Fetch the result, because this statement returns a row.
            _ = try Int.fetchOne(db, sql: "PRAGMA wal_autocheckpoint = \(checkpointPages)")
        }
    }

    package func readTables<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (SQLTransaction) throws -> Value
    ) async throws -> Value {
        try await reads.read { try body(SQLTransaction(app: app, connection: SQLiteTransactionConnection(db: $0))) }
    }

    package func writeTables<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (SQLTransaction) throws -> Value
    ) async throws -> Value {
        try await commits.write { try body(SQLTransaction(app: app, connection: SQLiteTransactionConnection(db: $0))) }
    }

    /// Returns whether a table exists.
    package func hasTable(_ name: String) async throws -> Bool {
        try await writer.read { try $0.tableExists(name) }
    }

    package func writeSecrets<Value: Sendable>(_ body: @escaping @Sendable (any SharedSecretRecords) throws -> Value) async throws -> Value
    {
        try await commits.write { try body(SQLSecretRecords(locking: SQLiteTransactionConnection(db: $0))) }
    }

    package func checkWritable() async throws {
        if let free = freeBytes(), free < Self.requiredFreeBytes { throw StorageError.full }
        try await commits.write { try $0.execute(sql: "UPDATE probe SET number = number + 1 WHERE partition = 0") }
    }
}

/// The identity of a file, which changes if the file is deleted or replaced.
package struct FileIdentity: Equatable {
    private let device: Int?
    private let number: Int?

    /// Reads the identity of the current file at a path.
    package init(_ path: String) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        device = (attributes?[.systemNumber] as? NSNumber)?.intValue
        number = (attributes?[.systemFileNumber] as? NSNumber)?.intValue
    }
}
