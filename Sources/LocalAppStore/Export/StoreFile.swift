import Foundation
import GRDB
import PurchaseIssuing
import PurchaseModel

/// A file that holds a whole store: a SQLite database of its own, without another one beside it.
///
/// Whoever sends one may have written anything into it. So it is looked at as a whole before it becomes a store: the schema has to be
/// ours, word for word, each value of the type that its column has, and each row readable.
struct StoreFile {
    /// The most bytes of a file that are taken: a hundred thousand purchases with all their notifications.
    static let sizeLimit = 512 << 20

    /// A place of its own for a file on its way in or out.
    static func temporary() -> String {
        FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString).sqlite").path
    }

    /// Removes a file and what SQLite puts beside it.
    static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    /// Checks a file that somebody sent, and brings it up to date.
    ///
    /// - Parameters:
    ///   - pageSize: The bytes of a page that the store will have.
    ///   - now: What the store's time follows, now.
    /// - Throws: ``StoreError/storeFileUnusable(_:)``.
    static func accept(_ path: String, pageSize: Int, at now: Timestamp) throws {
        do {
            let file = try open(path)
            try check(file)
            try StoreDatabase.migrator.migrate(file)
            guard try schema(of: file) == schema(of: DatabaseQueue.current()) else { throw StoreError.storeFileUnusable(.foreign) }
            try file.write { db in
                try read(db)
                try checkTimes(db)
                try StoreDatabase.mark(db)
                let time = try StoreSettings.time.value(db).map { try WireJSON.decode(StoreTime.self, from: Data($0.utf8)) }
                if let time { try StoreSettings.time.set(String(decoding: WireJSON.encode(time.resumed(at: now)), as: UTF8.self), db) }
            }
            try file.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA page_size = \(pageSize)")
                try db.execute(sql: "VACUUM")
            }
            try file.close()
        } catch let error as DatabaseError where error.isOfContents {
            throw StoreError.storeFileUnusable(.notDatabase)
        }
    }

    private static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            // What the file brings along runs nothing; see https://www.sqlite.org/security.html.
            try db.execute(sql: "PRAGMA trusted_schema = OFF")
            try db.execute(sql: "PRAGMA cell_size_check = ON")
        }
        let file = try DatabaseQueue(path: path, configuration: configuration)
        try file.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        return file
    }

    /// Refuses what is no database of a store of this version or an earlier one, and one that is torn.
    private static func check(_ file: DatabaseQueue) throws {
        try file.read { db in
            guard try StoreDatabase.isStore(db) else { throw StoreError.storeFileUnusable(.foreign) }
            let sql = "SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'"
            guard try Int.fetchOne(db, sql: sql) == 0 else { throw StoreError.storeFileUnusable(.foreign) }
            guard try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") == "ok" else {
                throw StoreError.storeFileUnusable(.notDatabase)
            }
            guard try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") == nil else {
                throw StoreError.storeFileUnusable(.damaged(table: "transactions"))
            }
        }
    }

    /// What a database is made of, in words that SQLite keeps as they were.
    private static func schema(of database: some DatabaseReader) throws -> Set<String> {
        try database.read { db in
            try String.fetchSet(db, sql: "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master")
        }
    }

    /// The numbers that a subscription's periods can have.
    private static let periods = 1...1_000_000
    /// How many subscriptions can have been put off.
    private static let counts: ClosedRange<Int64> = 0...1_000_000_000

    /// Reads every row once as the store will.
    private static func read(_ db: Database) throws {
        try read(AppRecord.self, db) { row in
            if let storekit = row.storekit { _ = try Catalog(reading: storekit) }
            for url in [row.sandboxURL, row.productionURL].compactMap({ $0 }) where HTTPURL(url) == nil {
                throw StoreError.storeFileUnusable(.damaged(table: AppRecord.databaseTableName))
            }
        }
        try read(AccountRecord.self, db)
        try read(SessionRecord.self, db)
        try read(PaymentRecord.self, db)
        try read(TransactionRecord.self, db) { row in
            guard row.period.map({ periods.contains($0) }) ?? true else {
                throw StoreError.storeFileUnusable(.damaged(table: TransactionRecord.databaseTableName))
            }
        }
        try read(ChargeRecord.self, db)
        try read(SubscriptionRecord.self, db) { row in
            guard periods.contains(row.subscription.period.number) else {
                throw StoreError.storeFileUnusable(.damaged(table: SubscriptionRecord.databaseTableName))
            }
        }
        try read(AppDownloadRecord.self, db)
        try read(NotificationRecord.self, db)
        try read(RefundRequestRecord.self, db)
        try read(EventRecord.self, db)
        try read(FaultRecord.self, db)
        try read(MassExtensionRecord.self, db) { row in
            guard counts.contains(row.succeeded), counts.contains(row.failed) else {
                throw StoreError.storeFileUnusable(.damaged(table: MassExtensionRecord.databaseTableName))
            }
        }
        do {
            guard let archive = try StoreSettings.authority.value(db) else { throw StoreError.storeFileUnusable(.foreign) }
            _ = try CertificateAuthority(archive: archive)
            _ = try StoreAPIKey(db)
            _ = try StoreClock(base: SystemWallClock(), db)
            _ = try StoreSettings.rules(db)
        } catch { throw StoreError.storeFileUnusable(.damaged(table: "settings")) }
    }

    private static func read<Record: FetchableRecord & TableRecord>(
        _ type: Record.Type, _ db: Database, _ look: (Record) throws -> Void = { _ in }
    ) throws {
        do {
            let rows = try Record.fetchCursor(db, sql: "SELECT * FROM \(Record.databaseTableName)")
            while let row = try rows.next() { try look(row) }
        } catch let error as DatabaseError {
            throw error
        } catch {
            throw StoreError.storeFileUnusable(.damaged(table: Record.databaseTableName))
        }
    }
}

extension DatabaseQueue {
    /// A database in memory as this version makes it.
    fileprivate static func current() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try StoreDatabase.migrator.migrate(queue)
        return queue
    }
}

extension DatabaseError {
    /// Whether it is the file's fault, and not that of the machine.
    var isOfContents: Bool {
        [.SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_SCHEMA, .SQLITE_READONLY]
            .contains(resultCode)
    }
}
