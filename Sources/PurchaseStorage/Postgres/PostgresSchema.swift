package import LibPQ

/// The tables of a server's database in PostgreSQL.
///
/// The tables correspond to the current ``SQLiteSchema``, with the types of PostgreSQL. Texts are sorted by their bytes, as in SQLite. Each
/// primary key begins with the app and the column by which a database of several nodes distributes the table.
package enum PostgresSchema {
    /// The statements that migrate the tables to each version from the previous version; a published version never changes.
    private static let versions = [
        tables.joined(separator: "\n"), fileProductTables, customerMergeTables, unknownNotificationTables, teamTables,
        feedTables, webhookTables,
    ]
    /// The number of the current version of the tables.
    private static let version = Int64(versions.count)

    /// Creates or migrates the tables, after a comparison with the tables of the version that the database states.
    ///
    /// Several servers can start at the same time: one server creates the tables, and the other servers find them.
    ///
    /// - Throws: ``SchemaError`` if the database has tables of another program or of a newer version, or tables with changes;
    ///   otherwise a `PostgresError`.
    package static func migrate(_ pool: PostgresPool) async throws {
        for attempt in 1... {
            let stored = try await max(0, storedVersion(pool) ?? 0)
            guard stored <= version else { throw SchemaError.newerTables }
            let objects = try await changedObjects(pool, of: statements(from: 0, to: stored))
            guard objects.isEmpty else {
                // Repeat the comparison if another server has migrated the tables during the comparison.
                let isMigrated = try await storedVersion(pool) != stored
                if isMigrated, attempt < 10 { continue }
                throw SchemaError(changed: objects, path: nil)
            }
            if stored == version { return }
            do {
                try await pool.withTransaction { connection in
                    for statement in statements(from: stored, to: version) { try connection.query(statement) }
                    try connection.query("UPDATE tillroll_schema SET version = \(version)")
                }
                return
            } catch let error as PostgresError where error.sqlState != nil && !error.isUnavailable {
                // Try again, because another server may be creating the tables; after 10 attempts, report foreign tables with these names.
                let isComplete = try await storedVersion(pool) == version
                if isComplete || attempt < 10 { continue }
                guard !error.isDuplicateTable else { throw SchemaError.foreignTables }
                throw error
            }
        }
    }

    /// Returns the statements that migrate the tables from one version to another version; version 0 has no tables.
    private static func statements(from first: Int64, to last: Int64) -> [String] {
        let steps = versions.prefix(Int(clamping: last)).dropFirst(Int(clamping: first))
        let statements = steps.flatMap { $0.split(separator: ";\n") }
        return statements.filter { statement in statement.contains(where: { !$0.isWhitespace }) }.map { String($0) }
    }

    /// Returns the version of the tables that the database states; nil for a database without tables of this program.
    ///
    /// - Throws: ``SchemaError/changed(path:objects:)`` if reading the version could run functions of the database, such as
    ///   functions in a view, a policy or the condition of an index, or a `PostgresError`.
    package static func storedVersion(_ pool: PostgresPool) async throws -> Int64? {
        do {
            return try await pool.withConnection { connection in
                let tables = try connection.query(
                    """
                    SELECT relkind OPERATOR(pg_catalog.=) 'r' AND NOT pg_catalog.row_security_active(oid)
                        AND NOT EXISTS (SELECT FROM pg_catalog.pg_index
                            WHERE indrelid OPERATOR(pg_catalog.=) pg_class.oid AND (indpred IS NOT NULL OR indexprs IS NOT NULL))
                        AND NOT EXISTS (SELECT FROM pg_catalog.pg_statistic_ext
                            WHERE stxrelid OPERATOR(pg_catalog.=) pg_class.oid) AS is_plain
                    FROM pg_catalog.pg_class
                    WHERE oid OPERATOR(pg_catalog.=) CAST(pg_catalog.to_regclass('tillroll_schema') AS pg_catalog.oid)
                    """)
                guard let table = tables.first else { return nil }
                guard try table.bool("is_plain") else { throw SchemaError(changed: ["table tillroll_schema"], path: nil) }
                return try connection.query("SELECT version FROM ONLY tillroll_schema").first?.int64("version")
            }
        } catch let error as PostgresError where error.isUndefinedTable {
            return nil
        }
    }

    /// The tables of the first version: the tables for the schema version and the readiness check, and the tables of each feature.
    private static let tables = [
        ownTables, secretTables, apiKeyTables, customerTables, catalogTables, purchaseTables, claimTables, headerTables,
        entitlementGrantTables, consentTables, ledgerTables, creditDecisionTables, rebuildTables, notificationTables,
        refusedNotificationTables, verifyReceiptTables, importTables, contentTables, reconciliationTables, appStoreRequestTables,
    ]

    private static let ownTables = """
        CREATE TABLE tillroll_schema (id BIGINT PRIMARY KEY, version BIGINT NOT NULL);
        INSERT INTO tillroll_schema VALUES (1, 1);
        CREATE TABLE probe (
            app TEXT COLLATE "C" NOT NULL,
            partition BIGINT NOT NULL,
            number BIGINT NOT NULL,
            PRIMARY KEY (app, partition)
        );
        INSERT INTO probe VALUES ('', 0, 0);
        """
}
