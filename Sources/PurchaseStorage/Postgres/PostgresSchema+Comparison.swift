package import LibPQ

extension PostgresSchema {
    /// A table, an index, or an object that is attached to a table, as the catalogs of a database describe it.
    private struct Definition {
        /// The key of the comparison; nil for the index of a primary key, which the definition of the table contains.
        let key: String?
        /// The kind and the name of the object, for error messages.
        let object: String
        let text: String
        let isValid: Bool
        /// Whether the object is an index that affects only speed: neither unique nor partial, and without expressions.
        let isPlainIndex: Bool
    }

    /// Returns the objects of a database that differ from the objects that statements create.
    ///
    /// A database from another source may have triggers, rules or policies, and may lack a unique index that the server's statements need.
    /// The method creates temporary tables with the statements, so that the same queries describe the expected and the current tables.
    /// Tables with other names are not compared.
    ///
    /// - Parameters:
    ///   - pool: The connections to the database.
    ///   - statements: The statements that create the stored version of the tables; empty for a database without tables.
    package static func changedObjects(_ pool: PostgresPool, of statements: [String]) async throws -> [String] {
        guard !statements.isEmpty else { return [] }
        return try await pool.withConnection { connection in
            guard try canCompare(connection) else { return [] }
            // Permit the table with the progress of an unfinished copy.
            let expected = try definitions(after: statements + [CopyProgressTable.creation], on: connection)
            let tables = expected.compactMap(\.key).filter { $0.hasPrefix(tablePrefix) }.map { String($0.dropFirst(tablePrefix.count)) }
            return try changes(from: expected, to: definitions(ofTables: tables, on: connection))
        }
    }

    private static let tablePrefix = "table "

    /// Returns whether the database supports temporary tables whose catalog entries match those of other tables.
    ///
    /// A standby accepts no writes; the servers that write have compared the tables on the primary. CockroachDB and YugabyteDB lack
    /// temporary tables, or describe temporary tables differently.
    private static func canCompare(_ connection: PostgresConnection) throws -> Bool {
        let rows = try connection.query("SELECT pg_catalog.version() AS product, pg_catalog.pg_is_in_recovery() AS is_standby")
        guard let row = rows.first else { return true }
        let product = try row.text("product")
        return try !row.bool("is_standby") && product.hasPrefix("PostgreSQL ") && !product.contains("-YB-")
    }

    /// Returns the objects that were changed, removed or added.
    private static func changes(from expected: [Definition], to found: [Definition]) -> [String] {
        let texts = Set(expected.map(\.text))
        // reason: `String` keys are safe, because the expected keys are ASCII, so canonical equivalence merges no keys.
        let expectedTexts = expected.reduce(into: [String: String]()) { texts, definition in
            if let key = definition.key { texts[key] = definition.text }
        }
        var changes: [String] = []
        for definition in found {
            guard let key = definition.key else { continue }
            if definition.isPlainIndex, expectedTexts[key] == nil { continue }
            // Permit a second index with the same definition, which REINDEX CONCURRENTLY creates, and does not remove after a failure.
            let isUnchanged = expectedTexts[key].map { $0 == definition.text && definition.isValid } ?? texts.contains(definition.text)
            if !isUnchanged { changes.append(definition.object) }
        }
        let foundKeys = Set(found.compactMap(\.key))
        for definition in expected {
            guard let key = definition.key, key != tablePrefix + CopyProgressTable.name, !foundKeys.contains(key) else { continue }
            changes.append(definition.object)
        }
        return Set(changes).sorted()
    }

    // MARK: Catalogs

    /// Returns the definitions of the tables that statements create; the end of the transaction removes these temporary tables.
    private static func definitions(after statements: [String], on connection: PostgresConnection) throws -> [Definition] {
        try withNames(of: "pg_temp", on: connection) { path in
            // Keep the search path at the end, so that an event trigger of the database finds its tables during the creation of the
            // temporary tables.
            try connection.query(
                "SELECT pg_catalog.set_config('search_path', pg_catalog.concat_ws(', ', 'pg_temp', 'pg_catalog', NULLIF($1, '')), true)",
                [.text(path)])
            // Send all statements in one request to save round trips.
            _ = try connection.queryPrepared(together: statements.map { (sql: $0, parameters: []) })
            try connection.query("SET LOCAL search_path = pg_temp")
            let tables = try connection.query(
                """
                SELECT CAST(array_agg(oid) AS text) AS tables FROM pg_class
                WHERE relnamespace = pg_my_temp_schema() AND relkind = 'r'
                """)
            return try definitions(tables.first?.textOrNull("tables") ?? "{}", on: connection)
        }
    }

    /// Returns the definitions of the tables that the server's statements find by these names, in any schema.
    private static func definitions(ofTables names: [String], on connection: PostgresConnection) throws -> [Definition] {
        let tables = try connection.query(
            """
            SELECT CAST(pg_catalog.array_agg(CAST(pg_catalog.to_regclass(name) AS pg_catalog.oid)) AS pg_catalog.text) AS tables
            FROM pg_catalog.unnest(CAST($1 AS pg_catalog.text[])) AS name
            """, [.text("{" + names.joined(separator: ",") + "}")])
        let identifiers = try tables.first?.textOrNull("tables") ?? "{}"
        return try withNames(of: "pg_catalog", on: connection) { _ in try definitions(identifiers, on: connection) }
    }

    /// Runs `body` in a transaction in which names without a schema refer to PostgreSQL's catalog or to one other schema.
    ///
    /// With the database's search path, a definition could contain an operator of the database with the name of a PostgreSQL operator. The
    /// transaction is rolled back.
    ///
    /// - Parameters:
    ///   - schema: The other schema.
    ///   - connection: The connection.
    ///   - body: Receives the search path before the transaction.
    private static func withNames<Value>(
        of schema: String, on connection: PostgresConnection, _ body: (_ path: String) throws -> Value
    ) throws -> Value {
        try connection.query("BEGIN READ WRITE")
        defer { _ = try? connection.query("ROLLBACK") }
        let rows = try connection.query("SELECT pg_catalog.current_setting('search_path') AS path")
        let path = try rows.first?.textOrNull("path") ?? ""
        try connection.query("SET LOCAL search_path = \(schema)")
        // Permit sequential scans, because PostgreSQL otherwise compiles these queries (JIT), which takes longer than their execution.
        try connection.query("SET LOCAL enable_seqscan = on")
        return try body(path)
    }

    /// Returns the definitions of tables, of their indexes, and of the objects that are attached to them.
    ///
    /// - Parameters:
    ///   - tables: The object identifiers, as an array of PostgreSQL.
    ///   - connection: The connection, in a transaction.
    private static func definitions(_ tables: String, on connection: PostgresConnection) throws -> [Definition] {
        try connection.query(catalog, [.text(tables)]).map { row in
            Definition(
                key: try row.textOrNull("key"), object: try row.text("object"), text: try row.text("definition"),
                isValid: try row.bool("is_valid"), isPlainIndex: try row.bool("is_plain_index"))
        }
    }

    /// The query that returns the definitions.
    ///
    /// A definition omits the names of constraints and of primary keys' indexes, and settings that affect only speed, such as storage
    /// parameters. Statistics with expressions are compared, because PostgreSQL executes the expressions while it plans a query. Row-level
    /// security is compared if it applies to the account. Types are compared by name, collations and operator classes by object identifier.
    private static let catalog = """
        WITH ours AS (SELECT * FROM pg_class WHERE oid = ANY (CAST($1 AS oid[])))
        SELECT 'table ' || relname AS key,
            CASE relkind WHEN 'v' THEN 'view ' WHEN 'm' THEN 'materialized view ' WHEN 'f' THEN 'foreign table ' ELSE 'table ' END
                || relname AS object,
            concat_ws(', ', CASE WHEN relkind <> 'r' THEN relkind::text END, CASE WHEN relpersistence = 'u' THEN 'unlogged' END,
                CASE WHEN row_security_active(ours.oid) THEN 'row security' END, (
                    SELECT string_agg(concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod), attcollation,
                            CASE WHEN attnotnull THEN 'not null' END, NULLIF(attidentity::text, ''), NULLIF(attgenerated::text, ''),
                            pg_get_expr(adbin, adrelid)), ', ' ORDER BY attnum)
                    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
                    WHERE attrelid = ours.oid AND attnum > 0 AND NOT attisdropped
                ), (
                    SELECT string_agg(definition, ', ' ORDER BY definition COLLATE "C") FROM (
                        SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint
                        WHERE conrelid = ours.oid AND contype <> 't' AND NOT (contype = 'n' AND convalidated)) AS constraints
                )) AS definition, true AS is_valid, false AS is_plain_index
        FROM ours
        UNION ALL
        SELECT CASE WHEN NOT indisprimary THEN 'index ' || index.relname END, 'index ' || index.relname,
            concat_ws(' ', ours.relname, index.relam, indisunique, indimmediate, indisexclusion, indnkeyatts,
                to_jsonb(pg_index) ->> 'indnullsnotdistinct', (
                    SELECT string_agg(concat_ws(' ', pg_get_indexdef(indexrelid, number, false), indclass[number - 1],
                            indcollation[number - 1], indoption[number - 1]), ', ' ORDER BY number)
                    FROM generate_series(1, indnatts) AS number
                ), pg_get_expr(indpred, indrelid)), indisvalid,
            NOT indisunique AND NOT indisexclusion AND indpred IS NULL AND indexprs IS NULL
        FROM ours JOIN pg_index ON indrelid = ours.oid JOIN pg_class AS index ON index.oid = indexrelid
        UNION ALL
        SELECT object, object, 'attached', true, false FROM (
            SELECT 'trigger ' || tgname AS object FROM pg_trigger WHERE NOT tgisinternal AND tgrelid IN (SELECT oid FROM ours)
            UNION ALL SELECT 'rule ' || rulename FROM pg_rewrite JOIN ours ON ours.oid = ev_class WHERE relkind = 'r'
            UNION ALL SELECT 'policy ' || polname FROM pg_policy
                WHERE polrelid IN (SELECT oid FROM ours) AND row_security_active(polrelid)
            UNION ALL SELECT 'statistics ' || stxname FROM pg_statistic_ext
                WHERE stxrelid IN (SELECT oid FROM ours) AND 'e' = ANY (stxkind)
            UNION ALL SELECT 'table ' || relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
                WHERE inhparent IN (SELECT oid FROM ours) OR inhrelid IN (SELECT oid FROM ours)
            UNION ALL SELECT 'constraint ' || conname FROM pg_constraint
                WHERE confrelid IN (SELECT oid FROM ours) AND conrelid NOT IN (SELECT oid FROM ours)) AS attached
        """
}
