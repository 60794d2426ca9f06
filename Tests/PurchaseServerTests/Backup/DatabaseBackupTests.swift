import Foundation
import GRDB
import PurchaseModel
import PurchaseTestSupport
import Synchronization
import Testing

@testable import PurchaseMaintenance
@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the backup of a database file, and of its restoration.
@Suite struct DatabaseBackupTests {
    private static func configuration(_ folder: TemporaryFolder, database: String = "server.sqlite") throws -> PurchaseServerConfiguration {
        var configuration = try Shop.configuration(contentFolder: folder.url.path())
        configuration.database = .file(folder.file(database).path)
        configuration.secretKeyFile = folder.file("key").path
        return configuration
    }

    /// Creates the database of a server in a folder, with a secret and about `megabytes` of other data.
    private static func open(_ folder: TemporaryFolder, megabytes: Int = 0) async throws -> DatabaseBackup {
        let configuration = try Self.configuration(folder)
        _ = try await PurchaseServer(configuration: configuration, clock: ManualClock(), logger: .silent)
        try change(folder.file("server.sqlite").path) { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(megabytes * 1_000))
                        INSERT INTO receipt SELECT '\(BundleID.test)', i, zeroblob(1000) FROM (SELECT CAST(i AS BLOB) AS i FROM n);
                    INSERT INTO rebuild_progress VALUES ('\(BundleID.test)', 'verify', '{}');
                    """)
        }
        return try DatabaseBackup(of: configuration)
    }

    private static func change(_ path: String, _ body: (Database) throws -> Void) throws {
        var configuration = Configuration()
        // A server that was released closes its connections a little later, and locks the database meanwhile.
        configuration.busyMode = .timeout(10)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { try body($0) }
        try queue.close()
    }

    /// Runs `body` with a database, and a backup of it.
    private static func withBackup(_ body: (_ folder: TemporaryFolder, _ backup: String) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let backup = folder.file("backup").path
            _ = try await open(folder).write(to: backup) { _, _ in }
            try await body(folder, backup)
        }
    }

    private static func names(_ folder: TemporaryFolder) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.url.path))
    }

    @Test func `a backup is that of its beginning, although writers do not wait`() async throws {
        try await TemporaryFolder.with { folder in
            let database = try await Self.open(folder, megabytes: 20)
            let writer = try DatabasePool(path: folder.file("server.sqlite").path)
            let steps = Mutex<[Int64]>([])
            let report = try database.write(to: folder.file("backup").path) { completed, total in
                steps.withLock { $0.append(completed) }
                #expect(total > 0)
                // Each step is followed by a commit. A copy that begins again after each one would not end without a limit.
                if steps.withLock({ $0.count }) < 50 { try? writer.write { try $0.execute(sql: "UPDATE probe SET number = number + 1") } }
            }
            let completed = steps.withLock { $0 }
            // The copy never begins again.
            #expect(completed.count > 4 && completed == completed.sorted())
            #expect(try await writer.read { try Int.fetchOne($0, sql: "SELECT number FROM probe") } == completed.count)
            let copy = try DatabaseQueue(path: folder.file("backup").path)
            #expect(try await copy.read { try Int.fetchOne($0, sql: "SELECT number FROM probe") } == 0)
            #expect(report.bytes > 20_000_000 && report.secretKeyFile == folder.file("key").path)
            // One file contains everything.
            #expect(
                try Self.names(folder).isDisjoint(with: ["backup-wal", "backup-journal", "backup.incomplete", "backup.incomplete-wal"]))
        }
    }

    @Test func `a restored database has the records, the version and the secrets, and no interrupted rebuild`() async throws {
        try await Self.withBackup { folder, backup in
            let configuration = try Self.configuration(folder, database: "restored.sqlite")
            // A killed command left an incomplete database and its log.
            for name in ["restored.sqlite.incomplete", "restored.sqlite.incomplete-wal"] {
                try Data("rest".utf8).write(to: folder.file(name))
            }
            // The database of an earlier version is migrated.
            try Self.change(backup) { db in
                try db.execute(sql: "DROP TABLE import_progress; DELETE FROM grdb_migrations WHERE identifier LIKE '8 %'")
            }
            _ = try DatabaseBackup(of: configuration).restore(from: backup) { _, _ in }
            #expect(try Self.names(folder).isDisjoint(with: ["restored.sqlite.incomplete", "restored.sqlite.incomplete-wal"]))
            let restored = try DatabaseQueue(path: folder.file("restored.sqlite").path)
            #expect(try await restored.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM rebuild_progress") } == 0)
            #expect(try await restored.read { try $0.tableExists("import_progress") })
            #expect(try await restored.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM secret") } != 0)
            try restored.close()
            _ = try await PurchaseServer(configuration: configuration, clock: ManualClock(), logger: .silent)
        }
    }

    @Test func `a backup does not replace a file, and needs a database of this program`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("backup").path
            let missing = folder.file("server.sqlite").path
            #expect(throws: BackupError.missing(path: missing)) {
                try DatabaseBackup(of: Self.configuration(folder)).write(to: path) { _, _ in }
            }
            #expect(try Self.names(folder).isEmpty)
            let database = try await Self.open(folder)
            try Data("old".utf8).write(to: folder.file("backup"))
            #expect(throws: BackupError.exists(path: path)) { try database.write(to: path) { _, _ in } }
            #expect(try Data(contentsOf: folder.file("backup")) == Data("old".utf8))
            let nowhere = folder.file("none/backup").path
            #expect(throws: BackupError.unwritable(path: nowhere)) { try database.write(to: nowhere) { _, _ in } }
            try Self.change(missing) { try $0.execute(sql: "PRAGMA application_id = 7") }
            #expect(throws: BackupError.foreign(path: missing)) { try database.write(to: folder.file("new").path) { _, _ in } }
            #expect(try !Self.names(folder).contains { $0.hasPrefix("new") })
        }
    }

    @Test(arguments: ["restored", "restored-wal", "restored-shm", "restored-journal"])
    func `a database is not restored over another one, or next to its log`(_ name: String) async throws {
        try await Self.withBackup { folder, backup in
            try Data("old".utf8).write(to: folder.file(name))
            #expect(throws: BackupError.exists(path: folder.file(name).path)) {
                try DatabaseBackup(of: Self.configuration(folder, database: "restored")).restore(from: backup) { _, _ in }
            }
            #expect(try Data(contentsOf: folder.file(name)) == Data("old".utf8))
            #expect(try Self.names(folder).filter { $0.hasPrefix("restored") } == [name])
        }
    }

    /// A damage of a backup or of the key file, and the error.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let damage: @Sendable (TemporaryFolder) throws -> Void
        let error: @Sendable (BackupError, TemporaryFolder) -> Bool
    }

    static let damages = [
        Damage(
            testDescription: "no file", damage: { try FileManager.default.removeItem(at: $0.file("backup")) },
            error: { $0 == .missing(path: $1.file("backup").path) }),
        Damage(
            testDescription: "another file", damage: { try Data(repeating: 7, count: 5_000).write(to: $0.file("backup")) },
            error: { $0 == .foreign(path: $1.file("backup").path) }),
        Damage(
            testDescription: "a newer version",
            damage: { try change($0.file("backup").path) { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 future')") } },
            error: { $0 == .newer(path: $1.file("backup").path) }),
        Damage(
            testDescription: "a row that an index lacks",
            damage: { folder in
                try change(folder.file("backup").path) { db in
                    try db.execute(
                        sql: """
                            PRAGMA writable_schema = ON;
                            UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'customer_merged')
                                WHERE name = 'customer_alias_by_customer';
                            """)
                }
            },
            error: { error, _ in if case .damaged(_, let reason) = error { !reason.isEmpty } else { false } }),
        Damage(
            testDescription: "a trigger",
            damage: { folder in
                try change(folder.file("backup").path) { db in
                    try db.execute(
                        sql: """
                            CREATE TRIGGER rich AFTER INSERT ON ledger_posting
                            BEGIN UPDATE ledger_balance SET amount = amount + 1000000; END
                            """)
                }
            },
            error: { $0 == .changed(path: $1.file("backup").path, objects: ["trigger rich"]) }),
        Damage(
            testDescription: "overwritten pages",
            damage: { folder in
                let file = try FileHandle(forUpdating: folder.file("backup"))
                try file.seek(toOffset: 8 * 4096)
                try file.write(contentsOf: Data(repeating: 0xA5, count: 20 * 4096))
                try file.close()
            },
            error: { error, _ in if case .damaged = error { true } else { false } }),
        Damage(
            testDescription: "no key file", damage: { try FileManager.default.removeItem(at: $0.file("key")) },
            error: { $0 == .secretKeyFile(path: $1.file("key").path) }),
        Damage(
            testDescription: "another key",
            damage: { try Data((Data(repeating: 1, count: 32).base64EncodedString() + "\n").utf8).write(to: $0.file("key")) },
            error: { $0 == .secretKeyFile(path: $1.file("key").path) }),
    ]

    @Test(arguments: damages)
    func `a backup that can't be used is refused, and no file remains`(_ example: Damage) async throws {
        try await Self.withBackup { folder, backup in
            try example.damage(folder)
            // A server that ends removes its log.
            func names() throws -> Set<String> { try Self.names(folder).filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } }
            let before = try names()
            let error = #expect(throws: BackupError.self) {
                try DatabaseBackup(of: Self.configuration(folder, database: "restored.sqlite")).restore(from: backup) { _, _ in }
            }
            #expect(error.map { example.error($0, folder) } == true, "\(String(describing: error))")
            #expect(try names() == before)
            #expect(try !Self.names(folder).contains { $0.hasPrefix("restored") })
        }
    }

    @Test func `a database in memory and one of PostgreSQL are not copied`() async throws {
        try await TemporaryFolder.with { folder in
            var configuration = try Self.configuration(folder)
            configuration.database = .memory
            #expect(throws: BackupError.memory) { try DatabaseBackup(of: configuration) }
            let postgres = PostgresDatabase(url: "postgresql://tillroll:secret@db.example.com/tillroll")
            configuration.database = .postgres(postgres)
            let error = #expect(throws: BackupError.postgres(postgres)) { try DatabaseBackup(of: configuration) }
            #expect(error?.description.contains("secret") == false)
        }
    }
}
