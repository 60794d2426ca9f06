import Foundation
import LibPQ
import PostgresTestSupport
import PurchaseTestSupport
import Testing

@testable import PurchaseMaintenance
@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of PostgreSQL databases from outside, whose tables are not those of the server, or to whose tables something is attached.
@Suite(.postgresCluster, .timeLimit(.minutes(10))) struct ForeignPostgresSchemaTests {
    typealias Change = ForeignSchemaTests.Change

    private static let function = """
        CREATE FUNCTION enrich() RETURNS trigger LANGUAGE plpgsql
            AS 'BEGIN UPDATE ledger_balance SET amount = amount + 1000000; RETURN NEW; END';

        """

    static let changes: [Change] = [
        Change(
            testDescription: "a trigger",
            sql: function + "CREATE TRIGGER rich AFTER INSERT ON ledger_posting FOR EACH ROW EXECUTE FUNCTION enrich()",
            objects: ["trigger rich"]),
        Change(
            testDescription: "a trigger of constraints",
            sql: function + "CREATE CONSTRAINT TRIGGER rich AFTER INSERT ON ledger_posting FOR EACH ROW EXECUTE FUNCTION enrich()",
            objects: ["trigger rich"]),
        Change(
            testDescription: "a view in place of a table",
            sql: """
                ALTER TABLE ledger_balance RENAME TO hidden;
                CREATE VIEW ledger_balance AS SELECT app, customer, currency, amount + 1000000 AS amount, is_frozen, postings FROM hidden
                """, objects: ["view ledger_balance"]),
        Change(
            testDescription: "a view in a schema that is searched first",
            sql: """
                CREATE SCHEMA postgres;
                CREATE VIEW postgres.ledger_balance AS SELECT * FROM public.ledger_balance
                """, objects: ["view ledger_balance"]),
        Change(
            testDescription: "a view in place of the version",
            sql: """
                ALTER TABLE tillroll_schema RENAME TO hidden;
                CREATE VIEW tillroll_schema AS SELECT * FROM hidden
                """, objects: ["table tillroll_schema"]),
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
            testDescription: "a unique index of some rows",
            sql: """
                DROP INDEX ledger_posting_by_number;
                CREATE UNIQUE INDEX ledger_posting_by_number ON ledger_posting (app, customer, currency, number) WHERE number > 5
                """, objects: ["index ledger_posting_by_number"]),
        Change(
            testDescription: "a unique index that is not complete",
            sql: "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'ledger_posting_by_number'::regclass",
            objects: ["index ledger_posting_by_number"]),
        Change(
            testDescription: "another index, whose name has control characters",
            sql: "CREATE INDEX \"a\u{1B}[2Jé\" ON secret (app, lower(name))", objects: ["index a?[2J?"]),
        Change(
            testDescription: "a rule", sql: "CREATE RULE nothing AS ON INSERT TO ledger_posting DO INSTEAD NOTHING",
            objects: ["rule nothing"]),
        Change(
            testDescription: "statistics with an expression",
            sql: "CREATE STATISTICS lower_names ON lower(name), app FROM secret", objects: ["statistics lower_names"]),
        Change(
            testDescription: "an index with an expression on the table of the version",
            sql: "CREATE INDEX odd ON tillroll_schema (version) WHERE abs(version) > 5", objects: ["table tillroll_schema"]),
        Change(
            testDescription: "a column with a default", sql: "ALTER TABLE secret ADD COLUMN a TEXT DEFAULT 'a'", objects: ["table secret"]),
        Change(
            testDescription: "a column of another order", sql: "ALTER TABLE secret ALTER name TYPE TEXT COLLATE \"POSIX\"",
            objects: ["table secret"]),
        Change(
            testDescription: "a column that can be empty", sql: "ALTER TABLE customer ALTER created_at DROP NOT NULL",
            objects: ["table customer"]),
        Change(
            testDescription: "another primary key",
            sql: "ALTER TABLE secret DROP CONSTRAINT secret_pkey, ADD PRIMARY KEY (app, name, value)", objects: ["table secret"]),
        Change(
            testDescription: "no primary key", sql: "ALTER TABLE secret DROP CONSTRAINT secret_pkey", objects: ["table secret"]),
        Change(
            testDescription: "a missing check", sql: "ALTER TABLE purchase_credit DROP CONSTRAINT purchase_credit_credits_check",
            objects: ["table purchase_credit"]),
        Change(
            testDescription: "a check with an operator of the database",
            sql: """
                CREATE FUNCTION always(bigint, integer) RETURNS boolean LANGUAGE sql AS 'SELECT true';
                CREATE OPERATOR public.>= (LEFTARG = bigint, RIGHTARG = integer, FUNCTION = always);
                ALTER TABLE purchase_credit DROP CONSTRAINT purchase_credit_credits_check;
                ALTER TABLE purchase_credit ADD CHECK (credits OPERATOR(public.>=) 0)
                """, objects: ["table purchase_credit"]),
        Change(
            testDescription: "a foreign key of another table",
            sql: "CREATE TABLE other (app TEXT, name TEXT, CONSTRAINT kept FOREIGN KEY (app, name) REFERENCES secret)",
            objects: ["constraint kept"]),
        Change(
            testDescription: "an inherited table", sql: "CREATE TABLE child () INHERITS (ledger_balance)", objects: ["table child"]),
        Change(
            testDescription: "a partitioned table",
            sql: """
                ALTER TABLE secret RENAME TO part;
                CREATE TABLE secret (LIKE part INCLUDING ALL) PARTITION BY LIST (app);
                ALTER TABLE secret ATTACH PARTITION part DEFAULT
                """, objects: ["table part", "table secret"]),
        Change(
            testDescription: "a table that a crash empties", sql: "ALTER TABLE secret SET UNLOGGED", objects: ["table secret"]),
        Change(testDescription: "a missing table", sql: "DROP TABLE secret", objects: ["table secret"]),
        Change(
            testDescription: "a trigger on the progress of a copy",
            sql: function + CopyProgressTable.creation
                + ";\nCREATE TRIGGER rich AFTER INSERT ON copy_progress FOR EACH ROW EXECUTE FUNCTION enrich()", objects: ["trigger rich"]),
        Change(
            testDescription: "a trigger in an earlier version",
            sql: function + """
                DROP TABLE catalog_file_product, customer_merge, unknown_notification, team, seat_invitation, seat_claim, customer_seat,
                    feed_event, feed_outbox, feed_head, feed_retention, feed_sweep, feed_team, feed_customer,
                    webhook_endpoint, webhook_position, webhook_lane, webhook_delivery, webhook_dead_letter;
                UPDATE tillroll_schema SET version = 1;
                CREATE TRIGGER late AFTER UPDATE ON tillroll_schema FOR EACH ROW EXECUTE FUNCTION enrich()
                """, objects: ["trigger late"]),
    ]

    @Test(arguments: changes)
    func `a changed PostgreSQL database is refused by opening, and the refusal names the change`(_ change: Change) async throws {
        let database = try await Self.makeDatabase()
        try await Self.execute(change.sql, in: database)
        let version = try await Self.version(of: database)
        let expected = ConfigurationError.schema(.changed(path: nil, objects: change.objects))
        await #expect(throws: expected) { _ = try await PurchaseServer.open(.postgres(database)) }
        // The version that created the database can still open it, after the change is undone.
        #expect(try await Self.version(of: database) == version)
    }

    @Test(arguments: changes.prefix(3))
    func `a changed PostgreSQL database is neither the source nor the destination of a copy`(_ change: Change) async throws {
        try await TemporaryFolder.with { folder in
            let database = try await Self.makeDatabase()
            try await Self.execute(change.sql, in: database)
            let expected = ConfigurationError.schema(.changed(path: nil, objects: change.objects))
            let (path, copy) = (folder.file("source.sqlite").path, folder.file("copy.sqlite").path)
            _ = try SQLitePurchaseStorage(.file(path))
            let copies: [(PurchaseDatabase, PurchaseDatabase)] = [(.postgres(database), .file(copy)), (.file(path), .postgres(database))]
            for (source, destination) in copies {
                await #expect(throws: expected) { _ = try await DatabaseCopy(from: source, to: destination).run { _ in } }
            }
        }
    }

    private static let allowed = [
        "ANALYZE", "COMMENT ON TABLE secret IS 'encrypted'", "CREATE STATISTICS names ON app, name FROM secret",
        "ALTER TABLE secret SET (autovacuum_enabled = false)", "ALTER INDEX ledger_posting_by_number SET (fillfactor = 50)",
        "ALTER TABLE secret CLUSTER ON secret_pkey", "ALTER TABLE secret REPLICA IDENTITY FULL",
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO PUBLIC", "CREATE PUBLICATION everything FOR ALL TABLES",
        "CREATE INDEX newest_secrets ON secret (name)",
        // Row security does not apply to the owner of the tables.
        "CREATE POLICY hiding ON secret USING (app = 'a');\nALTER TABLE secret ENABLE ROW LEVEL SECURITY",
        "ALTER TABLE tillroll_schema ENABLE ROW LEVEL SECURITY",
        "CREATE VIEW report AS SELECT * FROM ledger_balance", "REINDEX TABLE ledger_posting",
        "ALTER INDEX secret_pkey RENAME TO secret_key", "ALTER TABLE secret ADD COLUMN a TEXT;\nALTER TABLE secret DROP COLUMN a",
        // The index of a REINDEX CONCURRENTLY that was interrupted.
        "CREATE UNIQUE INDEX ledger_posting_by_number_ccnew ON ledger_posting (app, customer, currency, number)",
    ]

    @Test func `what does not change the tables is allowed`() async throws {
        try await TemporaryFolder.with { folder in
            let database = try await Self.makeDatabase()
            for sql in Self.allowed {
                try await Self.execute(sql, in: database)
                _ = try await PurchaseServer.open(.postgres(database))
            }
            let copy = DatabaseCopy(from: .postgres(database), to: .file(folder.file("copy.sqlite").path))
            #expect(try await copy.run { _ in }.differences == 0)
        }
    }

    @Test func `tables of another program, and the progress of a copy, are no changes`() async throws {
        let database = try await Self.makeDatabase()
        try await Self.execute("CREATE TABLE note (id BIGINT PRIMARY KEY, text TEXT);\n" + CopyProgressTable.creation, in: database)
        // An event trigger that writes into a table of the database.
        let trigger = """
            CREATE TABLE ddl_log (tag TEXT);
            CREATE FUNCTION note() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO ddl_log VALUES (tg_tag); END';
            CREATE EVENT TRIGGER noting ON ddl_command_end EXECUTE FUNCTION note()
            """
        try await Self.execute(trigger, in: database)
        _ = try await PurchaseServer.open(.postgres(database))
    }

    @Test(arguments: [Int64.min, -1, 0])
    func `tables of a version that no server stores are those of another program`(_ version: Int64) async throws {
        let database = try await Self.makeDatabase()
        try await Self.execute("UPDATE tillroll_schema SET version = \(version)", in: database)
        await #expect(throws: ConfigurationError.schema(.foreignTables)) { _ = try await PurchaseServer.open(.postgres(database)) }
    }

    @Test func `a standby is opened without a comparison, because it can't create temporary tables`() async throws {
        let database = try await Self.makeDatabase()
        try await PostgresClusterTrait.withStandby { standby in
            let storage = try await PurchaseServer.open(.postgres(PostgresDatabase(url: standby(database.url), connections: 1)))
            #expect(try await storage.read(.test) { try $0.secretNames() }.isEmpty)
        }
    }

    @Test func `the refusal does not contain the connection URI`() {
        let error = ConfigurationError.schema(.changed(path: nil, objects: ["trigger rich"]))
        #expect(
            error.description == """
                database: the PostgreSQL database has tables, indexes, triggers or views that are not those of tillroll-server: trigger rich. Use a \
                backup from before the change, or undo the change.
                """)
    }

    /// Returns a database with the tables of the server.
    private static func makeDatabase() async throws -> PostgresDatabase {
        let database = PostgresDatabase(url: try PostgresClusterTrait.createDatabase(), connections: 2)
        _ = try await PurchaseServer.open(.postgres(database))
        return database
    }

    /// Runs statements, which end with a semicolon and the end of the line.
    private static func execute(_ sql: String, in database: PostgresDatabase) async throws {
        try await PostgresPool(database.url, limit: 1).withConnection { connection in
            for statement in sql.split(separator: ";\n") { try connection.query(String(statement)) }
        }
    }

    /// The version of the tables, also if it is in a view.
    private static func version(of database: PostgresDatabase) async throws -> Int64? {
        try await PostgresPool(database.url, limit: 1).withConnection { connection in
            try connection.query("SELECT version FROM tillroll_schema").first?.int64("version")
        }
    }
}
