import Foundation
import GRDB
import PurchaseTestSupport
import Testing

@testable import PurchaseMaintenance
@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of databases from outside, whose tables, indexes, triggers or views are not those of the server, and of new databases.
@Suite struct ForeignSchemaTests {
    /// A change of a database, and the objects that the refusal names.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sql: String
        let objects: [String]
    }

    static let changes = [
        Change(
            testDescription: "a trigger",
            sql: """
                CREATE TRIGGER rich AFTER INSERT ON ledger_posting BEGIN UPDATE ledger_balance SET amount = amount + 1000000; END
                """, objects: ["trigger rich"]),
        Change(
            testDescription: "a view in place of a table",
            sql: """
                ALTER TABLE ledger_balance RENAME TO hidden;
                CREATE VIEW ledger_balance AS SELECT app, customer, currency, amount + 1000000 AS amount, is_frozen, postings FROM hidden
                """, objects: ["view ledger_balance"]),
        Change(
            testDescription: "a missing unique index", sql: "DROP INDEX ledger_posting_by_number",
            objects: ["index ledger_posting_by_number"]),
        Change(
            testDescription: "an index that is not unique",
            sql: """
                DROP INDEX ledger_posting_by_number;
                CREATE INDEX ledger_posting_by_number ON ledger_posting (app, customer, currency, number)
                """, objects: ["index ledger_posting_by_number"]),
        Change(
            testDescription: "a table without a primary key",
            sql: "DROP TABLE api_key; CREATE TABLE api_key (app TEXT NOT NULL, digest BLOB NOT NULL)", objects: ["table api_key"]),
        Change(
            testDescription: "a column with a default", sql: "ALTER TABLE secret ADD COLUMN a TEXT DEFAULT 'a'", objects: ["table secret"]),
        Change(
            testDescription: "another table, whose name has control characters", sql: "CREATE TABLE \"a\u{1B}[2Jé\" (a TEXT)",
            objects: ["table a?[2J?"]),
        Change(
            testDescription: "a virtual table in the place of a table",
            sql: "DROP TABLE import_progress; CREATE VIRTUAL TABLE import_progress USING fts5(app, file, progress)",
            objects: ["table import_progress"]),
        Change(
            testDescription: "a trigger in an earlier version",
            sql: """
                DROP TABLE import_progress; DELETE FROM grdb_migrations WHERE identifier LIKE '8 %';
                CREATE TRIGGER late AFTER INSERT ON grdb_migrations BEGIN DELETE FROM secret; END
                """, objects: ["trigger late"]),
        Change(
            testDescription: "another index in an earlier version",
            sql: """
                DROP TABLE webhook_endpoint; DROP TABLE webhook_position; DROP TABLE webhook_lane; DROP TABLE webhook_delivery; DROP TABLE webhook_dead_letter;
                DROP TABLE feed_event; DROP TABLE feed_outbox; DROP TABLE feed_head; DROP TABLE feed_retention; DROP TABLE feed_sweep; DROP TABLE feed_team; DROP TABLE feed_customer;
                DROP INDEX seat_claim_by_member;
                DELETE FROM grdb_migrations WHERE (identifier LIKE '15 %' OR identifier LIKE '16 %');
                CREATE UNIQUE INDEX one ON customer (app)
                """, objects: ["index one"]),
    ]

    @Test(arguments: changes)
    func `a changed database is refused by opening, restoring and copying, and the refusal names the change`(
        _ change: Change
    ) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("server.sqlite").path
            do {
                let storage = try SQLitePurchaseStorage(.file(path))
                try await storage.writer.writeWithoutTransaction { try $0.execute(sql: change.sql) }
            }
            let migrations = try Self.migrations(path)
            let expected = ConfigurationError.schema(.changed(path: path, objects: change.objects))
            await #expect(throws: expected) { _ = try await PurchaseServer.open(.file(path)) }
            let copy = DatabaseCopy(from: .file(path), to: .file(folder.file("copy.sqlite").path))
            await #expect(throws: expected) { _ = try await copy.run { _ in } }

            var configuration = try Shop.configuration(contentFolder: folder.url.path)
            configuration.database = .file(folder.file("restored.sqlite").path)
            configuration.secretKeyFile = folder.file("key").path
            #expect(throws: BackupError.changed(path: path, objects: change.objects)) {
                _ = try DatabaseBackup(of: configuration).restore(from: path) { _, _ in }
            }
            #expect(!FileManager.default.fileExists(atPath: folder.file("restored.sqlite").path))
            // The version that created the database can still open it, after the change is undone.
            #expect(try Self.migrations(path) == migrations)
        }
    }

    /// Returns the migrations that are applied to a database.
    private static func migrations(_ path: String) throws -> [String] {
        try DatabaseQueue(path: path).read { try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations ORDER BY identifier") }
    }

    @Test func `a database of the version before the last one is migrated`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("server.sqlite").path
            do {
                let storage = try SQLitePurchaseStorage(.file(path))
                try await storage.writer.writeWithoutTransaction { db in
                    try db.execute(
                        sql: """
                            DROP TABLE webhook_endpoint; DROP TABLE webhook_position; DROP TABLE webhook_lane; DROP TABLE webhook_delivery; DROP TABLE webhook_dead_letter;
                            DROP TABLE feed_event; DROP TABLE feed_outbox; DROP TABLE feed_head; DROP TABLE feed_retention; DROP TABLE feed_sweep; DROP TABLE feed_team; DROP TABLE feed_customer;
                            DROP INDEX seat_claim_by_member;
                            DELETE FROM grdb_migrations WHERE (identifier LIKE '15 %' OR identifier LIKE '16 %')
                            """)
                }
            }
            _ = try await PurchaseServer.open(.file(path))
            #expect(try Self.migrations(path).contains { $0.hasPrefix("15 ") })
        }
    }

    @Test func `statistics and an unfinished copy are no changes`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("server.sqlite").path
            do {
                let storage = try SQLitePurchaseStorage(.file(path))
                try await storage.writer.writeWithoutTransaction { db in
                    try db.execute(sql: "ANALYZE")
                    try CopyProgress(source: .memory).create(in: SQLiteTransactionConnection(db: db))
                }
            }
            _ = try await PurchaseServer.open(.file(path))
        }
    }

    @Test func `tables with the comments of earlier versions are no changes`() async throws {
        let comments = [
            (table: "signed_event", now: "-- either a signed transaction (StoredJWS), or", earlier: "-- either a signed transaction, or"),
            (table: "notification", now: "-- a StoredJWS; NULL for", earlier: "-- NULL for"),
        ]
        try await TemporaryFolder.with { folder in
            let path = folder.file("server.sqlite").path
            do {
                let storage = try SQLitePurchaseStorage(.file(path))
                try await storage.writer.writeWithoutTransaction { db in
                    for (table, now, earlier) in comments {
                        let sql = "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC"
                        let statements = try String.fetchAll(db, sql: sql, arguments: [table])
                        #expect(statements.first?.contains(now) == true)
                        try db.execute(sql: "DROP TABLE \(table)")
                        for statement in statements { try db.execute(sql: statement.replacing(now, with: earlier)) }
                    }
                }
            }
            _ = try await PurchaseServer.open(.file(path))
        }
    }

    @Test(arguments: [
        ("CREATE TABLE a (\n    -- it's the \"key\n    b TEXT,\r\n\tc TEXT --last\n)", "CREATE TABLE a ( b TEXT, c TEXT )"),
        ("a--b\rc\nd -- e", "a d"), ("a - -b -", "a - -b -"), (" -- a", ""), ("", ""),
        ("DEFAULT '--  it''s' \"b  --\"  `--`  [--  ']  -- c", "DEFAULT '--  it''s' \"b  --\" `--` [--  ']"),
        ("'a  -- b", "'a  -- b"), ("é -- é\n'é'", "é 'é'"),
    ])
    func `statements are compared without comments and other white space`(_ statement: String, _ expected: String) {
        #expect(SQLiteSchema.normalized(statement) == expected)
    }

    @Test func `a statement that is longer than any of the server is not normalized`() {
        let statement = String(repeating: "a ", count: 50_000) + " -- b"
        #expect(SQLiteSchema.normalized(statement) == statement)
    }

    @Test func `a new database is created once, however many processes open it at the same time`() async throws {
        try await TemporaryFolder.with { folder in
            for round in 1...3 {
                let path = folder.file("server-\(round).sqlite").path
                // Each storage has connections and locks of its own, like a process.
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<12 {
                        group.addTask {
                            let storage = try await PurchaseServer.open(.file(path))
                            try await storage.write(.test) { try $0.put(Data([1]), named: "secret \(number)") }
                        }
                    }
                    try await group.waitForAll()
                }
                let names = try await PurchaseServer.open(.file(path)).read(.test) { try $0.secretNames() }
                #expect(names.count == 12)
            }
        }
    }
}
