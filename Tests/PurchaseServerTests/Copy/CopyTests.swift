import Foundation
import GRDB
import LibPQ
import Logging
import PostgresTestSupport
import PurchaseModel
import PurchaseTestSupport
import StoreTestSupport
import Synchronization
import Testing

@testable import PurchaseMaintenance
@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of copies between databases.
@Suite(.postgresCluster, .timeLimit(.minutes(10))) struct CopyTests {
    private static func postgres() throws -> PurchaseDatabase {
        .postgres(PostgresDatabase(url: try PostgresClusterTrait.createDatabase(), connections: 2))
    }

    /// Copies, and returns the report and the differences.
    private static func copy(
        _ source: PurchaseDatabase, _ destination: PurchaseDatabase, restarting: Bool = false,
        _ onEvent: @escaping @Sendable (CopyEvent) throws -> Void = { _ in }
    ) async throws -> (report: CopyReport, differences: [CopyDifference]) {
        let differences = Mutex<[CopyDifference]>([])
        let report = try await DatabaseCopy(from: source, to: destination).run(restarting: restarting) { event in
            if case .difference(let difference) = event { differences.withLock { $0.append(difference) } }
            do { try onEvent(event) } catch { Issue.record(error) }
        }
        return (report, differences.withLock { $0 })
    }

    @Test func `every row is the same after a copy to PostgreSQL and back, and a server continues with the copy`() async throws {
        try await CopySource.with { path, scenario, folder in
            let (postgres, back) = (try Self.postgres(), folder.file("back.sqlite").path())
            let expected = try await CopySource.dump(path)
            #expect(Set(expected.keys) == Set(DistributedTables.columns.keys))
            #expect(expected.values.allSatisfy { $0.count >= CopySource.rows })
            for (source, destination) in [(PurchaseDatabase.file(path), postgres), (postgres, .file(back))] {
                let (report, differences) = try await Self.copy(source, destination)
                #expect(differences == [])
                #expect(
                    report == CopyReport(tables: expected.count, rows: Int64(expected.values.map(\.count).reduce(0, +)), differences: 0))
            }
            let copied = try await CopySource.dump(back)
            for (table, rows) in expected {
                #expect(copied[table]?.elementsEqual(rows) { $0.utf8.elementsEqual($1.utf8) } == true, "\(table)")
            }
            #expect(copied.count == expected.count)
        }
    }

    @Test func `a server with the same secret key file continues with the copy`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("source.sqlite").path()
            try await RebuildScenario.open(try SQLitePurchaseStorage(.file(path))) { scenario in
                let postgres = try Self.postgres()
                #expect(try await Self.copy(.file(path), postgres).report.differences == 0)
                let server = try await PurchaseServer(
                    configuration: scenario.configuration, storage: PurchaseServer.open(postgres), clock: scenario.clock, logger: .silent)
                let rebuilt = try #require(try await server.rebuild(.test, isWriting: false) { _ in })
                #expect(rebuilt.isConsistent && rebuilt.compared["purchases"] == 6)
                let app = try #require(server.apps[.test])
                #expect(try await app.ledger.audit() == scenario.services.ledger.audit())
                #expect(server.verificationKeys(of: .test) == scenario.server.verificationKeys(of: .test))
            }
        }
    }

    @Test(arguments: [true, false])
    func `a server does not use the destination of a copy before both databases are equal`(_ toPostgres: Bool) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("source.sqlite").path()
            try await RebuildScenario.open(try SQLitePurchaseStorage(.file(path))) { scenario in
                let destination = try toPostgres ? Self.postgres() : .file(folder.file("copy.sqlite").path())
                var configuration = scenario.configuration
                configuration.database = destination
                func open() async throws { _ = try await PurchaseServer(configuration: configuration, logger: .silent) }
                let differences = try await Self.copy(.file(path), destination) { event in
                    guard case .progress(let completed, let total, .copy) = event, completed * 2 == total else { return }
                    try DatabaseQueue.waiting(path: path).write { try $0.execute(sql: "UPDATE purchase SET customer = NULL") }
                }.differences
                #expect(!differences.isEmpty)
                await #expect(throws: ConfigurationError.unfinishedCopy) { try await open() }
                #expect(try await Self.copy(.file(path), destination, restarting: true).differences == [])
                try await open()
            }
        }
    }

    @Test func `what a server writes during the copy is found, and a new copy is equal`() async throws {
        try await CopySource.with { path, scenario, folder in
            let destination = PurchaseDatabase.file(folder.file("copy.sqlite").path())
            let (report, differences) = try await Self.copy(.file(path), destination) { event in
                guard case .progress(let completed, let total, .copy) = event, completed * 2 == total else { return }
                try DatabaseQueue.waiting(path: path).write { db in
                    try db.execute(
                        sql: """
                            UPDATE purchase SET entitlement = '{}', customer = NULL WHERE original_transaction_id = '500';
                            DELETE FROM purchase WHERE original_transaction_id = '400';
                            INSERT INTO secret VALUES ('com.example.new', 'zzz', x'00');
                            """)
                }
            }
            let app = BundleID.test.rawValue
            let expected = [
                CopyDifference(table: "purchase", key: [app, "400"], kind: .unexpected, columns: []),
                CopyDifference(table: "purchase", key: [app, "500"], kind: .changed, columns: ["customer", "entitlement"]),
                CopyDifference(table: "secret", key: ["com.example.new", "zzz"], kind: .missing, columns: []),
            ]
            #expect(differences == expected && report.differences == 3)
            // The same command copies nothing again, and finds the same.
            let again = try await Self.copy(.file(path), destination) { event in
                if case .progress(_, _, .copy) = event { Issue.record("\(event)") }
            }
            #expect(again.differences == expected && again.report == report)
            await #expect(throws: CopyError.unfinishedSource) { try await Self.copy(destination, Self.postgres()) }
            let other = folder.file("other.sqlite").path()
            _ = try SQLitePurchaseStorage(.file(other))
            await #expect(throws: CopyError.otherSource) { try await Self.copy(.file(other), destination) }
            #expect(try await Self.copy(.file(path), destination, restarting: true).report.differences == 0)
            await #expect(throws: CopyError.notEmpty(table: "api_key")) { try await Self.copy(.file(path), destination, restarting: true) }
        }
    }

    @Test func `the comparison finds a change of any column`() async throws {
        try await CopySource.with { path, _, folder in
            let (postgres, copy) = (try Self.postgres(), folder.file("copy.sqlite").path())
            #expect(try await Self.copy(.file(path), postgres).report.differences == 0)
            #expect(try await Self.copy(postgres, .file(copy)).report.differences == 0)
            let original = PostgresCopyDatabase(PostgresDatabase(url: try #require(Self.url(of: postgres)), connections: 1))
            let changed = SQLiteCopyDatabase(storage: try SQLitePurchaseStorage(.file(copy)))
            let tables = try CopyTable.common(try await CopyTable.all(in: original), try await CopyTable.all(in: changed))
            for table in tables {
                for column in table.columns where !table.key.contains(column.name) {
                    let name = CopyTable.quoted(column.name)
                    let value =
                        switch column.kind {
                        case .text: "coalesce(\(name) || char(0x301), 'x')"
                        case .integer, .boolean: "\(name) IS 0"
                        case .bytes: "CAST(coalesce(\(name), x'') || x'01' AS BLOB)"
                        }
                    let row =
                        "(\(table.key.map(CopyTable.quoted).joined(separator: ", "))) = (SELECT \(table.key.map(CopyTable.quoted).joined(separator: ", ")) FROM \(table.name) LIMIT 1)"
                    try await changed.storage.writer.writeWithoutTransaction { db in
                        try db.execute(
                            sql:
                                "PRAGMA ignore_check_constraints = ON; BEGIN; CREATE TEMP TABLE old AS SELECT * FROM \(table.name) WHERE \(row)"
                        )
                        try db.execute(sql: "UPDATE \(table.name) SET \(name) = \(value) WHERE \(row); COMMIT")
                    }
                    #expect(try await Self.differences(of: table, original, changed).map(\.columns) == [[column.name]], "\(table.name)")
                    try await changed.storage.writer.writeWithoutTransaction { db in
                        try db.execute(sql: "UPDATE \(table.name) SET \(name) = (SELECT \(name) FROM old) WHERE \(row); DROP TABLE old")
                    }
                }
                #expect(try await Self.differences(of: table, original, changed) == [])
            }
        }
    }

    private static func differences(
        of table: CopyTable, _ source: any CopyDatabase, _ destination: any CopyDatabase
    ) async throws -> [CopyDifference] {
        var comparison = CopyComparison(table, of: source, with: destination)
        var found: [CopyDifference] = []
        while let (_, differences) = try await comparison.next() { found += differences }
        return found
    }

    private static func url(of database: PurchaseDatabase) -> String? {
        if case .postgres(let database) = database { database.url } else { nil }
    }

    @Test func `each page is found by the primary key, and not sorted`() async throws {
        let storage = try SQLitePurchaseStorage(.memory)
        let tables = try await CopyTable.all(in: SQLiteCopyDatabase(storage: storage))
        #expect(tables.count == DistributedTables.columns.count)
        for table in tables.values {
            let statement = table.selection(in: .sqlite, after: table.key.map { _ in .null })
            let plan = try await storage.writer.read { db in
                try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + statement.replacing("?", with: "'x'")).map { $0["detail"] as String }
            }
            #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH \(table.name) USING "), "\(plan)")
        }
    }

    @Test func `a page has few bytes, and texts of the same characters are ordered by their bytes`() async throws {
        let storage = try SQLitePurchaseStorage(.memory)
        try await storage.writer.write { db in
            for number in 0..<20 {
                try db.execute(
                    sql: "INSERT INTO receipt VALUES ('a', ?, ?)",
                    arguments: [Data([UInt8(number)]), Data(repeating: 1, count: number == 5 ? 6 << 20 : 1 << 20)])
            }
            for name in ["e\u{301}", "\u{E9}", "f", "z"] {
                try db.execute(sql: "INSERT INTO secret VALUES ('a', ?, x'')", arguments: [name])
            }
        }
        let database = SQLiteCopyDatabase(storage: storage)
        let tables = try await CopyTable.all(in: database)
        let (receipt, secret) = (try #require(tables["receipt"]), try #require(tables["secret"]))
        var (pages, last): ([Int], [SQLValue]?) = ([], nil)
        while let page = Optional(try await receipt.page(after: last, of: database)), let row = page.last {
            pages.append(page.count)
            last = receipt.key(of: row)
        }
        #expect(pages == [3, 2, 1, 3, 3, 3, 3, 2], "\(pages)")
        let rows = try await secret.page(after: nil, of: database)
        for (row, next) in zip(rows, rows.dropFirst()) { #expect(row[1].isOrdered(before: next[1]) && !next[1].isOrdered(before: row[1])) }
        // Swift's == finds the first and the last text equal.
        #expect(rows.count == 4 && !rows[0][1].isIdentical(to: rows[3][1]))
    }

    @Test(arguments: [
        ("UPDATE secret SET name = 'a' || char(0) WHERE name = (SELECT min(name) FROM secret)", "secret", "name"),
        ("UPDATE purchase SET entitlement = CAST(x'FF' AS TEXT)", "purchase", "entitlement"),
        ("UPDATE ledger_balance SET is_frozen = 2", "ledger_balance", "is_frozen"),
    ])
    func `a value that PostgreSQL can't store ends the copy`(_ sql: String, _ table: String, _ column: String) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("source.sqlite").path()
            try await RebuildScenario.open(try SQLitePurchaseStorage(.file(path))) { _ in
                try await DatabaseQueue.waiting(path: path).write { try $0.execute(sql: sql) }
                await #expect(throws: CopyError.unreadable(table: table, column: column)) {
                    try await Self.copy(.file(path), Self.postgres())
                }
            }
        }
    }

    @Test func `a source that does not exist is refused and not created, and so is a destination with rows`() async throws {
        try await TemporaryFolder.with { folder in
            let (path, other) = (folder.file("a.sqlite").path(), folder.file("b.sqlite").path())
            await #expect(throws: CopyError.noSource(path: path)) { try await Self.copy(.file(path), .file(other)) }
            #expect(!FileManager.default.fileExists(atPath: path) && !FileManager.default.fileExists(atPath: other))
            await #expect(throws: CopyError.emptySource) { try await Self.copy(Self.postgres(), .file(other)) }
            await #expect(throws: CopyError.memory) { try await Self.copy(.memory, .file(other)) }
            await #expect(throws: CopyError.memory) { try await Self.copy(.file(path), .memory) }
            await #expect(throws: CopyError.sameDatabase) { try await Self.copy(.file(path), .file(folder.file("x/../a.sqlite").path())) }
            for path in [path, other] {
                try await SQLitePurchaseStorage(.file(path)).write(.test) { try $0.put(Data([1]), named: "secret") }
            }
            await #expect(throws: CopyError.notEmpty(table: "secret")) { try await Self.copy(.file(path), .file(other)) }
            let postgres = try Self.postgres()
            #expect(
                try await Self.copy(.file(path), postgres).report
                    == CopyReport(tables: DistributedTables.columns.count, rows: 2, differences: 0))
            await #expect(throws: CopyError.notEmpty(table: "secret")) { try await Self.copy(.file(other), postgres) }
            try PostgresConnection(try #require(Self.url(of: postgres))).query("CREATE TABLE mine (id BIGINT PRIMARY KEY)")
            await #expect(throws: CopyError.differentTables(["mine"])) {
                try await Self.copy(postgres, .file(folder.file("c.sqlite").path()))
            }
        }
    }

    @Test func `two copies to one destination don't mix`() async throws {
        let storage = try SQLitePurchaseStorage(.memory)
        let progress = CopyProgress(source: .file("a"))
        var later = progress
        later.rows = 5
        try await storage.writer.write { [later] db in
            let connection = SQLiteTransactionConnection(db: db)
            try progress.create(in: connection)
            try progress.advance(to: later, in: connection)
            #expect(throws: CopyError.anotherCopy) { try progress.advance(to: later, in: connection) }
            #expect(try CopyProgress.stored(in: connection) == later)
        }
    }

    @Test(arguments: [true, false])
    func `a page that can't be written is copied by the next run`(_ isPostgres: Bool) async throws {
        try await TemporaryFolder.with { folder in
            let (path, copy) = (folder.file("source.sqlite").path(), folder.file("copy.sqlite").path())
            let destination = isPostgres ? try Self.postgres() : .file(copy)
            try await SQLitePurchaseStorage(.file(path)).writer.write { db in
                for number in 1_000..<2_200 { try db.execute(sql: "INSERT INTO secret VALUES ('a', ?, x'')", arguments: ["\(number)"]) }
            }
            _ = try await PurchaseServer.open(destination)
            // The second page has a row that the destination refuses.
            @Sendable func execute(_ postgres: String, _ sqlite: String) throws {
                if let url = Self.url(of: destination) {
                    try PostgresConnection(url).query(postgres)
                } else {
                    try DatabaseQueue.waiting(path: copy).write { try $0.execute(sql: sqlite) }
                }
            }
            let isChanged = Mutex(false)
            await #expect(throws: StorageError.self) {
                try await Self.copy(.file(path), destination) { _ in
                    // A trigger that existed before the copy would be refused.
                    guard isChanged.withLock({ $0.setOnce() }) else { return }
                    try execute(
                        "ALTER TABLE secret ADD CONSTRAINT refused CHECK (name <> '1700')",
                        "CREATE TRIGGER refused BEFORE INSERT ON secret WHEN NEW.name = '1700' BEGIN SELECT RAISE(ABORT, 'refused'); END")
                }
            }
            try execute("ALTER TABLE secret DROP CONSTRAINT refused", "DROP TRIGGER refused")
            let continued = Mutex<Int64?>(nil)
            let (report, differences) = try await Self.copy(.file(path), destination) { event in
                if case .continued(let rows) = event { continued.withLock { $0 = rows } }
            }
            // The row of the table before it, and a page.
            #expect(continued.withLock { $0 } == 501 && report.rows == 1_201 && differences == [])
        }
    }

    @Test func `a source is recognized without its password and by any of its accounts`() {
        func source(_ url: String) -> String { CopyProgress(source: .postgres(PostgresDatabase(url: url))).source }
        let first = source("postgresql://db.example.com:5432/tillroll")
        for url in [
            "postgres://a:secret@db.example.com:5432/tillroll", "postgresql://b@db.example.com:5432/tillroll?password=x&connect_timeout=9",
        ] {
            #expect(source(url) == first)
        }
        for url in [
            "postgresql://db.example.com:5432/other", "postgresql://db2.example.com:5432/tillroll", "postgresql:///tillroll?host=/tmp",
        ] {
            #expect(source(url) != first)
        }
    }
}

extension Bool {
    /// Sets the value; returns whether it was not set before.
    fileprivate mutating func setOnce() -> Bool {
        defer { self = true }
        return !self
    }
}
