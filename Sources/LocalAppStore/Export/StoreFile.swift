import Foundation
import GRDB
import NIOCore
import NIOFoundationCompat
import PurchaseIssuing
import PurchaseModel

/// Functions for the files to which stores are exported; each file is a complete SQLite database of one store.
///
/// An imported file is untrusted, so it is validated before it becomes a store: the schema must equal this version's schema exactly, each
/// value must have the type of its column, and each row must be readable.
struct StoreFile {
    /// The maximum size of an imported file, in bytes: enough for a hundred thousand purchases with their notifications.
    static let sizeLimit = 512 << 20

    /// Returns a unique path for the temporary file of an import or an export.
    static func temporary() -> String {
        FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString).sqlite").path
    }

    /// Removes a database file and the files that SQLite writes beside it; errors are ignored.
    static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    /// Validates an imported file and migrates it to the current version.
    ///
    /// - Parameters:
    ///   - pageSize: The page size of the new store's database, in bytes.
    ///   - now: The current time of the clock on which the new store's time is based.
    /// - Throws: ``ImportError/invalidStoreFile(_:)`` if the file is not a valid database of a store.
    static func accept(_ path: String, pageSize: Int, at now: Timestamp) throws {
        do {
            let file = try open(path)
            try check(file)
            try StoreDatabase.migrator.migrate(file)
            guard try schema(of: file) == schema(of: DatabaseQueue.current()) else { throw ImportError.invalidStoreFile(.notStore) }
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
            throw ImportError.invalidStoreFile(.notDatabase)
        }
    }

    private static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            // This setting prevents the schema of an untrusted file from running functions; see https://www.sqlite.org/security.html.
            try db.execute(sql: "PRAGMA trusted_schema = OFF")
            try db.execute(sql: "PRAGMA cell_size_check = ON")
        }
        let file = try DatabaseQueue(path: path, configuration: configuration)
        try file.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        return file
    }

    /// Checks that a file is an intact database of a store, of this version of the schema or an earlier one.
    ///
    /// - Throws: ``ImportError/invalidStoreFile(_:)`` with the defect of the file.
    private static func check(_ file: DatabaseQueue) throws {
        try file.read { db in
            guard try StoreDatabase.isStore(db) else { throw ImportError.invalidStoreFile(.notStore) }
            let sql = "SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'"
            guard try Int.fetchOne(db, sql: sql) == 0 else { throw ImportError.invalidStoreFile(.notStore) }
            guard try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") == "ok" else {
                throw ImportError.invalidStoreFile(.notDatabase)
            }
            guard try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") == nil else {
                throw ImportError.invalidStoreFile(.invalidTable(table: "transactions"))
            }
        }
    }

    /// Returns the SQL statements of a database's schema, which SQLite stores verbatim.
    private static func schema(of database: some DatabaseReader) throws -> Set<String> {
        try database.read { db in
            try String.fetchSet(db, sql: "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master")
        }
    }

    /// The valid range of a subscription period's number.
    private static let periods = 1...1_000_000
    /// The valid range for the numbers of subscriptions in a mass renewal date extension.
    private static let counts: ClosedRange<Int64> = 0...1_000_000_000

    /// Checks that the store can decode every row of a database and all values of its `settings` table.
    ///
    /// - Throws: ``ImportError/invalidStoreFile(_:)`` with the name of the table that has an invalid row.
    private static func read(_ db: Database) throws {
        try read(AppRecord.self, db) { row in
            if let storekit = row.storekit { _ = try Catalog(reading: storekit) }
            for url in [row.sandboxURL, row.productionURL].compactMap({ $0 }) where HTTPURL(url) == nil {
                throw ImportError.invalidStoreFile(.invalidTable(table: AppRecord.databaseTableName))
            }
        }
        try read(AccountRecord.self, db)
        try read(SessionRecord.self, db)
        try read(PaymentRecord.self, db)
        try read(TransactionRecord.self, db) { row in
            guard row.period.map({ periods.contains($0) }) ?? true else {
                throw ImportError.invalidStoreFile(.invalidTable(table: TransactionRecord.databaseTableName))
            }
        }
        try read(ImportedVersionRecord.self, db)
        try read(ChargeRecord.self, db)
        try read(SubscriptionRecord.self, db) { row in
            guard periods.contains(row.subscription.period.number) else {
                throw ImportError.invalidStoreFile(.invalidTable(table: SubscriptionRecord.databaseTableName))
            }
        }
        try read(AppDownloadRecord.self, db)
        try read(NotificationRecord.self, db)
        try read(RefundRequestRecord.self, db)
        try read(EventRecord.self, db)
        try read(FaultRecord.self, db)
        try read(MassExtensionRecord.self, db) { row in
            guard counts.contains(row.succeeded), counts.contains(row.failed) else {
                throw ImportError.invalidStoreFile(.invalidTable(table: MassExtensionRecord.databaseTableName))
            }
        }
        do {
            guard let archive = try StoreSettings.authority.value(db) else { throw ImportError.invalidStoreFile(.notStore) }
            _ = try CertificateAuthority(archive: archive)
            _ = try StoreAPIKey(db)
            _ = try StoreClock(base: SystemWallClock(), db)
            _ = try StoreSettings.rules(db)
        } catch { throw ImportError.invalidStoreFile(.invalidTable(table: "settings")) }
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
            throw ImportError.invalidStoreFile(.invalidTable(table: Record.databaseTableName))
        }
    }
}

extension DatabaseQueue {
    /// Creates an empty in-memory database with this version's schema.
    fileprivate static func current() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try StoreDatabase.migrator.migrate(queue)
        return queue
    }
}

extension DatabaseError {
    /// Whether the error is caused by the contents of the database file, and not by the machine, such as a full disk.
    var isInvalidContents: Bool {
        [.SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_SCHEMA, .SQLITE_READONLY]
            .contains(resultCode)
    }
}

extension StoreFile {
    /// The latest valid end of a subscription period, which is far in the future because a free trial can last 366 years.
    private static let latestEnd = Timestamp(milliseconds: 32_503_680_000_000)

    /// The times in a store's database at which the store schedules events: display name, table, SQL expression and latest valid time.
    private static let times: [(name: String, table: String, value: String, latest: Timestamp)] = [
        ("A renewal date", "subscriptions", "nextRenewalDate", latestEnd),
        ("The end of a subscription's period", "subscriptions", "json_extract(subscription, '$.paidUntil')", latestEnd),
        (
            "The start of a subscription's period", "subscriptions", "json_extract(subscription, '$.period.start')",
            StoreTime.range.upperBound
        ),
        ("The end of a grace or billing retry period", "subscriptions", "json_extract(subscription, '$.state.until')", latestEnd),
        ("The end of a billing retry period", "subscriptions", "json_extract(subscription, '$.state.retryUntil')", latestEnd),
        ("The latest event of a subscription", "subscriptions", "json_extract(subscription, '$.handledUntil')", StoreTime.range.upperBound),
        ("The date of a refund decision", "refundRequests", "due", latestEnd),
    ]

    /// Checks the times in a store's database, because invalid times would keep the store busy permanently.
    ///
    /// - Throws: ``ImportError/invalidStoreFile(_:)`` if a time is out of range or unreadable.
    static func checkTimes(_ db: Database) throws {
        if let time = try storeTime(db) {
            for moment in [time.store, time.base] where !StoreTime.range.contains(moment) {
                throw ImportError.invalidStoreFile(.timeOutOfRange("The store's time", milliseconds: moment.milliseconds))
            }
            guard time.isValid else { throw ImportError.invalidStoreFile(.invalidTable(table: "settings")) }
        }
        for time in times where try db.tableExists(time.table) {
            let sql = "SELECT min(v), max(v) FROM (SELECT \(time.value) AS v FROM \(time.table))"
            guard let row = try Row.fetchOne(db, sql: sql) else { continue }
            for index in 0..<2 {
                let value: DatabaseValue = row[index]
                guard !value.isNull else { continue }
                guard let milliseconds = Int64.fromDatabaseValue(value) else {
                    throw ImportError.invalidStoreFile(.invalidTable(table: time.table))
                }
                guard (StoreTime.range.lowerBound...time.latest).contains(Timestamp(milliseconds: milliseconds)) else {
                    throw ImportError.invalidStoreFile(.timeOutOfRange(time.name, milliseconds: milliseconds))
                }
            }
        }
    }
    /// Returns the state of the store's clock from its database; nil if the database has none.
    ///
    /// - Throws: ``ImportError/invalidStoreFile(_:)`` if the state is unreadable.
    private static func storeTime(_ db: Database) throws -> StoreTime? {
        do {
            return try StoreSettings.time(db)
        } catch let error as DatabaseError {
            throw error
        } catch {
            throw ImportError.invalidStoreFile(.invalidTable(table: "settings"))
        }
    }
}

/// The chunks of a temporary file as a response body; the file is deleted as soon as the response ends.
struct FileChunks: AsyncSequence, Sendable {
    private let file: FileHandle

    /// Opens a file and removes its path, so that the system deletes the file when it is closed.
    init(deletingAfterOpening path: String) throws {
        file = try FileHandle(forReadingFrom: URL(filePath: path))
        StoreFile.remove(path)
    }

    func makeAsyncIterator() -> Iterator { Iterator(file: file) }

    struct Iterator: AsyncIteratorProtocol {
        let file: FileHandle

        func next() async throws -> ByteBuffer? {
            try file.read(upToCount: 1 << 18).flatMap { $0.isEmpty ? nil : ByteBuffer(data: $0) }
        }
    }
}
