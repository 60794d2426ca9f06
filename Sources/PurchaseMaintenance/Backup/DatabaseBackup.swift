import Foundation
import GRDB
import PrivateFiles
import PurchaseModel
public import PurchaseServer
import PurchaseStorage

/// Copies the SQLite database of a running server to a file, and restores a database from such a file.
///
/// The copy contains the transactions that the server committed before the backup began, and no later transaction.
///
/// The copy does not contain the key file, so that a backup alone discloses no secret of the server.
public struct DatabaseBackup: Sendable {
    /// The paths and the size of a finished copy.
    public struct Report: Codable, Hashable, Sendable {
        /// The path of the copy.
        public let path: String
        /// The length of the copy in bytes.
        public let bytes: Int64
        /// The path of the key file, which decrypts the secrets in the copy and is not part of the copy.
        public let secretKeyFile: String
        /// The number of secrets in a restored database that are encrypted with an earlier key of the key file; 0 for a backup.
        public var secretsWithEarlierKey = 0
    }

    /// The number of pages of 4 KiB that are copied between two reports of the progress.
    private static let pagesPerStep: CInt = 1_000
    /// The suffixes of the files that SQLite creates beside a database.
    private static let accompanying = ["-wal", "-shm", "-journal"]

    private let database: String
    private let secretKeyFile: String

    /// Selects the database of a configuration.
    ///
    /// - Throws: ``BackupError/memory`` or ``BackupError/postgres(_:)`` for a database that is not a SQLite file.
    public init(of configuration: PurchaseServerConfiguration) throws(BackupError) {
        switch configuration.database {
        case .memory: throw .memory
        case .postgres(let database): throw .postgres(database)
        case .file(let path):
            database = path
            secretKeyFile = configuration.secretKeyPath ?? path + ".key"
        }
    }

    /// Copies the database to a new file, and checks the copy.
    ///
    /// The backup does not block the server's writes. SQLite stores new writes in the write-ahead log until the backup ends.
    ///
    /// - Parameters:
    ///   - path: The path of the new backup.
    ///   - progress: A closure that receives the number of copied pages and the number of all pages.
    public func write(
        to path: String, progress: @escaping @Sendable (_ completed: Int64, _ total: Int64) -> Void
    ) throws(BackupError) -> Report {
        try reporting(from: database, to: path) {
            guard FileManager.default.fileExists(atPath: database) else { throw BackupError.missing(path: database) }
            try SQLiteSchema.check(database)
            return try create(path, from: database, progress) { _ in }
        }
    }

    /// Restores the database from a backup, checks and migrates the schema, and checks that the key file decrypts the secrets.
    ///
    /// - Parameters:
    ///   - path: The path of the backup.
    ///   - progress: A closure that receives the number of copied pages and the number of all pages.
    /// - Throws: ``BackupError/exists(path:)`` if the configuration's database exists.
    public func restore(
        from path: String, progress: @escaping @Sendable (_ completed: Int64, _ total: Int64) -> Void
    ) throws(BackupError) -> Report {
        try reporting(from: path, to: database) {
            // Refuse leftover log files, because SQLite would replay the log of an earlier database into the restored database.
            for file in [database] + Self.accompanying.map({ database + $0 }) where FileManager.default.fileExists(atPath: file) {
                throw BackupError.exists(path: file)
            }
            guard FileManager.default.fileExists(atPath: path) else { throw BackupError.missing(path: path) }
            try SQLiteSchema.check(path)
            var earlier = 0
            var report = try create(database, from: path, progress) { copy in
                try SQLiteSchema.migrate(copy, of: path)
                try copy.write { db in
                    earlier = try checkSecrets(db)
                    // Delete the progress of an interrupted rebuild, because the rebuild must not continue with the restored rows.
                    try db.execute(sql: "DELETE FROM rebuild_progress")
                }
            }
            report.secretsWithEarlierKey = earlier
            return report
        }
    }

    /// Copies a database to a temporary file, calls `complete` with the copy, and renames the file to `path`.
    private func create(
        _ path: String, from source: String, _ progress: @escaping @Sendable (_ completed: Int64, _ total: Int64) -> Void,
        complete: (DatabaseQueue) throws -> Void
    ) throws -> Report {
        try CompleteFile.create(path) { incomplete in
            func removeAccompanying() {
                for suffix in Self.accompanying { try? FileManager.default.removeItem(atPath: incomplete + suffix) }
            }
            // Remove the log of a killed process, because SQLite would replay the log into the copy.
            removeAccompanying()
            do {
                let copy = try copy(source, to: incomplete, progress)
                try complete(copy)
                try copy.close()
            } catch {
                removeAccompanying()
                throw error
            }
            let attributes = try FileManager.default.attributesOfItem(atPath: incomplete)
            return Report(path: path, bytes: (attributes[.size] as? NSNumber)?.int64Value ?? 0, secretKeyFile: secretKeyFile)
        }
    }

    /// Copies a database page by page to an empty file, and checks the integrity of the copy.
    ///
    /// `VACUUM INTO` would write a smaller file, but reports no progress and sorts every index again.
    private func copy(
        _ source: String, to incomplete: String, _ progress: @escaping @Sendable (_ completed: Int64, _ total: Int64) -> Void
    ) throws -> DatabaseQueue {
        var reading = Configuration()
        reading.readonly = true
        reading.busyMode = .timeout(5)
        let source = try DatabaseQueue(path: source, configuration: reading)
        var writing = Configuration()
        writing.prepareDatabase { db in
            // Disable the journal and the flushes, because `CompleteFile` flushes the whole file before the final name appears.
            _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = OFF")
            try db.execute(sql: "PRAGMA synchronous = OFF; PRAGMA cache_size = -65536")
        }
        let copy = try DatabaseQueue(path: incomplete, configuration: writing)
        try source.read { db in
            // Start a transaction with a read, so that the copy has the state of one commit. Outside of a transaction, SQLite restarts a
            // backup after each commit of the server.
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master")
            try copy.writeWithoutTransaction { copy in
                try db.backup(to: copy, pagesPerStep: Self.pagesPerStep) { state in
                    progress(Int64(state.completedPageCount), Int64(state.totalPageCount))
                }
            }
        }
        try source.close()
        try copy.writeWithoutTransaction { db in
            // Leave WAL mode, so that the copy is a single file that SQLite can also open on a read-only disk.
            let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
            guard mode == "delete" else { throw DatabaseError(resultCode: .SQLITE_BUSY) }
            let problem = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)")
            guard problem == "ok" else { throw Damage(reason: problem ?? "no answer") }
        }
        return copy
    }

    private struct Damage: Error {
        let reason: String
    }

    /// Decrypts each secret of the database, and returns the number of secrets that are encrypted with an earlier key of the key file.
    private func checkSecrets(_ db: Database) throws -> Int {
        let secrets = try Row.fetchAll(db, sql: "SELECT app, name, value FROM secret")
        guard !secrets.isEmpty else { return 0 }
        // Refuse a missing key file, because `SecretCipher` would create a file with a new key.
        guard FileManager.default.fileExists(atPath: secretKeyFile) else { throw BackupError.secretKeyFile(path: secretKeyFile) }
        let cipher = try SecretCipher(path: secretKeyFile)
        for secret in secrets { _ = try cipher.open(secret["value"], named: secret["name"], of: BundleID(secret["app"] as String)) }
        return secrets.count { !cipher.isCurrent($0["value"]) }
    }

    /// Runs `body`, and converts its errors to ``BackupError``.
    private func reporting<Value>(from source: String, to path: String, _ body: () throws -> Value) throws(BackupError) -> Value {
        do {
            return try body()
        } catch let error as BackupError {
            throw error
        } catch let error as CompleteFile.Failure {
            switch error {
            case .exists: throw .exists(path: path)
            case .busy: throw .busy(path: path)
            case .write: throw .unwritable(path: path)
            }
        } catch SchemaError.foreignDatabase {
            throw .foreign(path: source)
        } catch SchemaError.newerDatabase {
            throw .newer(path: source)
        } catch SchemaError.changed(_, let objects) {
            throw .changed(path: source, objects: objects)
        } catch ConfigurationError.secretKeyFile(let path) {
            throw .secretKeyFile(path: path)
        } catch is SecretError {
            throw .secretKeyFile(path: secretKeyFile)
        } catch let error as Damage {
            throw .damaged(path: source, reason: error.reason)
        } catch let error as DatabaseError {
            switch error.resultCode.primaryResultCode {
            case .SQLITE_BUSY, .SQLITE_LOCKED: throw .locked(path: source)
            case .SQLITE_FULL: throw .full(path: path)
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: throw .damaged(path: source, reason: error.resultCode.description)
            default: throw .failed(path: source, code: error.extendedResultCode.description)
            }
        } catch {
            throw .failed(path: source, code: "\(type(of: error))")
        }
    }
}
