import Foundation
import GRDB
import PurchaseIssuing
import PurchaseModel

/// A file with a whole store: a single, complete SQLite database.
///
/// The contents of an imported file are untrusted. The import therefore validates the whole file before the file becomes a store: the
/// schema must equal this version's schema exactly, each value must have the type of its column, and each row must be readable.
struct StoreFile {
    /// The maximum size of a file, in bytes: enough for a hundred thousand purchases with all their notifications.
    static let sizeLimit = 512 << 20

    /// A unique temporary path for an import or an export.
    static func temporary() -> String {
        FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString).sqlite").path
    }

    /// Removes a file and SQLite's auxiliary files.
    static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    /// Validates an imported file and migrates it to the current version.
    ///
    /// - Parameters:
    ///   - pageSize: The page size of the new store's database, in bytes.
    ///   - now: The current time of the clock on which the store's time is based.
    /// - Throws: ``StoreError/invalidStoreFile(_:)``.
    static func accept(_ path: String, pageSize: Int, at now: Timestamp) throws {
        do {
            let file = try open(path)
            try check(file)
            try StoreDatabase.migrator.migrate(file)
            guard try schema(of: file) == schema(of: DatabaseQueue.current()) else { throw StoreError.invalidStoreFile(.notStore) }
            try file.write { db in
                try read(db)
                try checkTimes(db)
                if let time = try StoreSettings.time(db) { try StoreSettings.set(time.resumed(at: now), db) }
            }
            try file.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA page_size = \(pageSize)")
                try db.execute(sql: "VACUUM")
            }
            try file.close()
        } catch let error as DatabaseError where error.isInvalidContents {
            throw StoreError.invalidStoreFile(.notDatabase)
        }
    }

    private static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            // The setting prevents the schema of an untrusted file from running functions; see https://www.sqlite.org/security.html.
            try db.execute(sql: "PRAGMA trusted_schema = OFF")
            try db.execute(sql: "PRAGMA cell_size_check = ON")
        }
        let file = try DatabaseQueue(path: path, configuration: configuration)
        try file.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        return file
    }

    /// Refuses a file that is not a store's database, a database of a later version, and a corrupt database.
    private static func check(_ file: DatabaseQueue) throws {
        try file.read { db in
            guard try StoreDatabase.isStore(db) else { throw StoreError.invalidStoreFile(.notStore) }
            let sql = "SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'"
            guard try Int.fetchOne(db, sql: sql) == 0 else { throw StoreError.invalidStoreFile(.notStore) }
            guard try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") == "ok" else {
                throw StoreError.invalidStoreFile(.notDatabase)
            }
            guard try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") == nil else {
                throw StoreError.invalidStoreFile(.invalidTable(table: "transactions"))
            }
        }
    }

    /// The SQL statements of a database's schema, which SQLite keeps verbatim.
    private static func schema(of database: some DatabaseReader) throws -> Set<String> {
        try database.read { db in
            try String.fetchSet(db, sql: "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master")
        }
    }

    /// The valid range of a subscription period's number.
    private static let periods = 1...1_000_000
    /// The valid range of the number of subscriptions with an extended renewal date.
    private static let counts: ClosedRange<Int64> = 0...1_000_000_000

    /// Decodes every row once, as the store does.
    private static func read(_ db: Database) throws {
        try read(AppRecord.self, db) { row in
            if let storekit = row.storekit { _ = try Catalog(reading: storekit) }
            for url in [row.sandboxURL, row.productionURL].compactMap({ $0 }) where HTTPURL(url) == nil {
                throw StoreError.invalidStoreFile(.invalidTable(table: AppRecord.databaseTableName))
            }
        }
        try read(AccountRecord.self, db)
        try read(SessionRecord.self, db)
        try read(PaymentRecord.self, db)
        try read(TransactionRecord.self, db) { row in
            guard row.period.map({ periods.contains($0) }) ?? true else {
                throw StoreError.invalidStoreFile(.invalidTable(table: TransactionRecord.databaseTableName))
            }
        }
        try read(ChargeRecord.self, db)
        try read(SubscriptionRecord.self, db) { row in
            guard periods.contains(row.subscription.period.number) else {
                throw StoreError.invalidStoreFile(.invalidTable(table: SubscriptionRecord.databaseTableName))
            }
        }
        try read(AppDownloadRecord.self, db)
        try read(NotificationRecord.self, db)
        try read(RefundRequestRecord.self, db)
        try read(EventRecord.self, db)
        try read(FaultRecord.self, db)
        try read(MassExtensionRecord.self, db) { row in
            guard counts.contains(row.succeeded), counts.contains(row.failed) else {
                throw StoreError.invalidStoreFile(.invalidTable(table: MassExtensionRecord.databaseTableName))
            }
        }
        do {
            guard let archive = try StoreSettings.authority.value(db) else { throw StoreError.invalidStoreFile(.notStore) }
            _ = try CertificateAuthority(archive: archive)
            _ = try StoreAPIKey(db)
            _ = try StoreClock(base: SystemWallClock(), db)
            _ = try StoreSettings.rules(db)
        } catch { throw StoreError.invalidStoreFile(.invalidTable(table: "settings")) }
    }

    private static func read<Record: FetchableRecord & TableRecord>(
        _ type: Record.Type, _ db: Database, _ validate: (Record) throws -> Void = { _ in }
    ) throws {
        do {
            let rows = try Record.fetchCursor(db, sql: "SELECT * FROM \(Record.databaseTableName)")
            while let row = try rows.next() { try validate(row) }
        } catch let error as DatabaseError {
            throw error
        } catch {
            throw StoreError.invalidStoreFile(.invalidTable(table: Record.databaseTableName))
        }
    }
}

extension DatabaseQueue {
    /// An in-memory database with this version's schema.
    fileprivate static func current() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try StoreDatabase.migrator.migrate(queue)
        return queue
    }
}

extension DatabaseError {
    /// Whether the error is caused by the file's contents and not by the machine.
    var isInvalidContents: Bool {
        [.SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_SCHEMA, .SQLITE_READONLY]
            .contains(resultCode)
    }
}
