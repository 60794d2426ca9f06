import GRDB
import LibPQ
import PostgresTestSupport
import PurchaseStorageTesting
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// A table as the catalog of a database describes it.
private struct CatalogTable: Equatable {
    struct Column: Equatable {
        let name: String
        let type: String
        let isNullable: Bool
    }

    let columns: [Column]
    let primaryKey: [String]
}

/// Tests that the tables and the statements fit databases that distribute tables over several nodes.
@Suite(.postgresCluster, .timeLimit(.minutes(10))) struct SchemaTests {
    @Test func `both databases have the same tables, columns and primary keys`() async throws {
        let postgres = try await Self.withPostgres { try Self.tables(of: $0) }
        let sqlite = try await Self.sqliteTables()
        #expect(Set(postgres.keys) == Set(sqlite.keys))
        for (name, table) in postgres {
            let other = try #require(sqlite[name])
            #expect(table.columns.map(\.name) == other.columns.map(\.name), "\(name)")
            for (column, match) in zip(table.columns, other.columns) {
                let types = ["TEXT": ["text"], "INTEGER": ["bigint", "boolean"], "BLOB": ["bytea"]][match.type]
                #expect(types?.contains(column.type) == true, "\(name).\(column.name): \(column.type), \(match.type)")
                #expect(column.isNullable == match.isNullable, "\(name).\(column.name)")
            }
            #expect(table.primaryKey == other.primaryKey, "\(name)")
        }
    }

    @Test func `the primary key of every table begins with the app and the column by which the table is distributed`() async throws {
        let tables = try await Self.withPostgres { try Self.tables(of: $0) }
        #expect(Set(tables.keys) == Set(DistributedTables.columns.keys))
        for (name, table) in tables {
            let key = try #require(DistributedTables.key(of: name), "\(name)")
            #expect(Array(table.primaryKey.prefix(key.count)) == key, "\(name)")
        }
    }

    /// Databases of several nodes enforce a unique index on the rows of one node only.
    @Test func `every index begins with the app, and every unique index contains the distribution column`() async throws {
        let indexes = try await Self.withPostgres { connection in
            try connection.query(
                """
                SELECT t.relname AS name, i.indisunique AS is_unique, i.indexprs IS NOT NULL AS has_expressions, (
                    SELECT string_agg(a.attname, ' ' ORDER BY k.n) FROM unnest(i.indkey) WITH ORDINALITY AS k (number, n)
                    JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number) AS columns
                FROM pg_index AS i JOIN pg_class AS t ON t.oid = i.indrelid
                WHERE t.relnamespace = 'public'::regnamespace AND t.relname <> 'tillroll_schema'
                """
            ).map { row in
                (
                    table: try row.text("name"), isUnique: try row.bool("is_unique"), hasExpressions: try row.bool("has_expressions"),
                    columns: try row.text("columns").split(separator: " ").map { String($0) }
                )
            }
        }
        #expect(indexes.count > DistributedTables.columns.count)
        for index in indexes {
            #expect(index.columns.first == "app" && !index.hasExpressions, "\(index)")
            let key = try #require(DistributedTables.key(of: index.table))
            if index.isUnique { #expect(Set(key).isSubset(of: index.columns), "\(index)") }
        }
    }

    /// Each query lists what a database of several nodes lacks, or executes on one node only.
    @Test(arguments: [
        ("views, sequences, partitioned and foreign tables", "pg_class", "relname", "relkind NOT IN ('r', 'i')"),
        ("tables that are lost or local to a session", "pg_class", "relname", "relpersistence <> 'p'"),
        ("tables with row security or a type of their own", "pg_class", "relname", "relrowsecurity OR reloftype <> 0"),
        (
            "foreign keys, exclusions, unique constraints and constraint triggers", "pg_constraint", "conname",
            "contype NOT IN ('p', 'c', 'n') OR condeferrable"
        ),
        ("functions", "pg_proc", "proname", "true"),
        ("types", "pg_type", "typname", "typtype NOT IN ('c', 'b') OR typtype = 'b' AND typcategory <> 'A'"),
        ("triggers", "pg_trigger JOIN pg_class ON pg_class.oid = tgrelid", "tgname", "true"),
        ("rules", "pg_rewrite JOIN pg_class ON pg_class.oid = ev_class", "rulename", "true"),
        ("inheritance", "pg_inherits JOIN pg_class ON pg_class.oid = inhrelid", "relname", "true"),
        ("statistics of several columns", "pg_statistic_ext", "stxname", "true"),
        (
            "identities, generated columns, defaults and compression", "pg_attribute JOIN pg_class ON pg_class.oid = attrelid", "attname",
            "attidentity <> '' OR attgenerated <> '' OR atthasdef OR attcompression <> ''"
        ),
        (
            "columns of other types or with another order", "pg_attribute JOIN pg_class ON pg_class.oid = attrelid", "attname",
            "attnum > 0 AND (atttypid NOT IN (16, 17, 20, 25) OR atttypid = 25 AND attcollation <> '\"C\"'::regcollation)"
        ),
        ("indexes of other methods", "pg_class JOIN pg_am ON pg_am.oid = relam", "relname", "relkind = 'i' AND amname <> 'btree'"),
    ])
    func `the tables use nothing that databases of several nodes lack`(
        _ what: String, _ catalog: String, _ name: String, _ condition: String
    ) async throws {
        let namespaces = [
            "pg_constraint": "connamespace", "pg_proc": "pronamespace", "pg_type": "typnamespace", "pg_statistic_ext": "stxnamespace",
        ]
        let namespace = namespaces[catalog] ?? "relnamespace"
        let found = try await Self.withPostgres { connection in
            try connection.query(
                "SELECT \(name) AS name FROM \(catalog) WHERE \(namespace) = 'public'::regnamespace AND (\(condition))"
            ).map { try $0.text("name") }
        }
        #expect(found == [], "\(what)")
    }

    // MARK: Statements

    @Test func `every statement states the app and the distribution column, and every table has one`() async throws {
        var statements: Set<String> = []
        func check(_ body: (CheckedStorage) async throws -> Void) async throws {
            let storage = CheckedStorage(try SQLitePurchaseStorage(.memory))
            try await body(storage)
            #expect(storage.violations == [])
            statements.formUnion(storage.statements.map(StatementRules.text))
        }
        for promise in PurchaseStorageContract.checks { try await check { storage in try await promise.run { storage } } }
        try await check { storage in
            try await RebuildScenario.open(storage) { scenario in
                try await scenario.claimShared()
                _ = try await scenario.rebuild(isWriting: true)
                _ = try await scenario.services.ledger.audit()
                _ = try await scenario.server.rotateSecretKey()
            }
        }
        let tables = Set(statements.flatMap { StatementScope.all(in: $0).flatMap { $0.tables.map(\.name) } })
        #expect(Set(DistributedTables.columns.keys).subtracting(tables) == [])
        for (beginning, reason) in StatementRules.exceptions {
            #expect(statements.contains { $0.hasPrefix(beginning) }, "remove the exception (\(reason)): \(beginning)")
        }
    }

    @Test(arguments: [
        ("SELECT * FROM purchase WHERE app = ?1", "purchase without original_transaction_id"),
        ("SELECT * FROM purchase WHERE original_transaction_id = ?", "purchase without app"),
        ("SELECT * FROM purchase WHERE app = ?1 AND original_transaction_id > ?", "purchase without original_transaction_id"),
        ("SELECT * FROM purchase WHERE app = ?1 OR original_transaction_id = ?", "purchase without app"),
        ("SELECT * FROM purchase WHERE app = ?1 AND (original_transaction_id = ? OR ?)", "purchase without original_transaction_id"),
        ("SELECT original_transaction_id FROM purchase ORDER BY app", "purchase without app"),
        ("UPDATE purchase SET original_transaction_id = ? WHERE app = ?1", "purchase without original_transaction_id"),
        ("DELETE FROM customer WHERE app = ?1 AND merged_into = ?", "customer without customer"),
        ("INSERT INTO secret (app, value) VALUES (?1, ?)", "secret without name"),
        ("INSERT INTO secret (app, name) SELECT app, ? FROM api_key WHERE app = ?1", "api_key without digest"),
        ("SELECT 1 FROM secret WHERE app = ?1 AND name = ? AND EXISTS (SELECT 1 FROM receipt WHERE app = ?1)", "receipt without digest"),
        (
            "SELECT 1 FROM secret WHERE app = ?1 AND name = ? UNION ALL SELECT 1 FROM api_key WHERE app = ?1 AND id = ?",
            "api_key without digest"
        ),
        (
            "SELECT 1 FROM signed_event LEFT JOIN receipt ON receipt.app = signed_event.app WHERE signed_event.app = ?1 "
                + "AND original_transaction_id = ?", "receipt without digest"
        ),
        ("SELECT 1 FROM stranger WHERE app = ?1", "unknown table stranger"),
    ])
    func `a statement that does not state the column is found`(_ sql: String, _ violation: String) {
        #expect(StatementRules.violation(of: sql)?.hasPrefix(violation) == true)
    }

    // MARK: Catalogs

    private static func withPostgres<Value: Sendable>(_ body: @escaping @Sendable (PostgresConnection) throws -> Value) async throws
        -> Value
    {
        let url = try PostgresClusterTrait.createDatabase()
        _ = try await PostgresPurchaseStorage(PostgresDatabase(url: url, connections: 1))
        return try await PostgresPool(url, limit: 1).withConnection(body)
    }

    private static func tables(of connection: PostgresConnection) throws -> [String: CatalogTable] {
        let columns = try connection.query(
            """
            SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
            WHERE table_schema = 'public' AND table_name <> 'tillroll_schema' ORDER BY table_name, ordinal_position
            """)
        let keys = try connection.query(
            """
            SELECT table_name, column_name FROM information_schema.table_constraints
            JOIN information_schema.key_column_usage USING (table_name, constraint_name) WHERE constraint_type = 'PRIMARY KEY'
            AND key_column_usage.table_schema = 'public' ORDER BY table_name, ordinal_position
            """)
        let primaryKeys = try Dictionary(grouping: keys) { try $0.text("table_name") }
        return try Dictionary(grouping: columns) { try $0.text("table_name") }.reduce(into: [:]) { tables, element in
            tables[element.key] = CatalogTable(
                columns: try element.value.map {
                    CatalogTable.Column(
                        name: try $0.text("column_name"), type: try $0.text("data_type"), isNullable: try $0.text("is_nullable") == "YES")
                }, primaryKey: try (primaryKeys[element.key] ?? []).map { try $0.text("column_name") })
        }
    }

    private static func sqliteTables() async throws -> [String: CatalogTable] {
        try await SQLitePurchaseStorage(.memory).writer.read { db in
            let names = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name != 'grdb_migrations'")
            return try names.reduce(into: [:]) { tables, name in
                tables[name] = CatalogTable(
                    columns: try db.columns(in: name).map {
                        CatalogTable.Column(name: $0.name, type: $0.type, isNullable: !$0.isNotNull)
                    }, primaryKey: try db.primaryKey(name).columns)
            }
        }
    }
}
