import LibPQ
package import PurchaseModel

/// Stores a server's records in a PostgreSQL database, which several servers can share.
///
/// Concurrent requests share a serializable write transaction, which is repeated after a conflict with another transaction. A read
/// transaction occupies one connection. Reads without a transaction share round trips to the database.
package struct PostgresPurchaseStorage: SQLPurchaseStorage {
    /// The statement of the readiness check, which changes one row of the table `probe`.
    private static let probe = "UPDATE probe SET number = number + 1 WHERE app = '' AND partition = 0"

    private let pool: PostgresPool
    private let commits: PostgresGroupCommit
    private let reads: PostgresGroupRead
    private let replicas: PostgresReplicas?

    /// Connects to a database, and creates its tables if they do not exist.
    ///
    /// - Throws: ``SchemaError`` if the database has tables of another program, of a newer version, or with changes; otherwise a
    ///   `PostgresError`.
    package init(_ database: PostgresDatabase) async throws {
        pool = PostgresPool(database.url, limit: database.connections, prepare: Self.prepare)
        replicas = database.replicaURL.map { PostgresReplicas($0, connections: database.connections, prepare: Self.prepare) }
        reads = PostgresGroupRead(pool, limit: database.connections)
        let hasReplicas = replicas != nil
        commits = PostgresGroupCommit(pool, limit: database.connections, position: { hasReplicas ? Self.position(of: $0) : nil })
        try await PostgresSchema.migrate(pool)
    }

    /// Sets the parameters of a new connection's session.
    private static func prepare(_ connection: PostgresConnection) throws {
        let settings = [
            // Disable sequential scans, because a sequential scan of a small table conflicts with every other serializable transaction on
            // the table.
            "SET enable_seqscan = off",
            // Force generic plans, because the best plans of the server's statements do not depend on the values of parameters. A custom
            // plan follows the statistics of average customers, and may read all rows of a customer with ten thousand rows.
            "SET plan_cache_mode = force_generic_plan",
            "SET statement_timeout = '30s'",
            "SET idle_in_transaction_session_timeout = '30s'",
        ]
        for setting in settings {
            do {
                try connection.query(setting)
            } catch {
                // Ignore a refused setting, because databases that are compatible with PostgreSQL lack some settings.
                guard error.sqlState != nil, !error.isUnavailable else { throw error }
            }
        }
    }

    package func readTables<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (SQLTransaction) throws -> Value
    ) async throws -> Value {
        let body: @Sendable (PostgresConnection) throws -> Value = { connection in
            try connection.transaction(isolation: .repeatableRead, isReadOnly: true) { connection in
                try body(SQLTransaction(app: app, connection: PostgresTransactionConnection(connection)))
            }
        }
        return try await reporting {
            if let value = try await readOnReplica(body) { return value }
            return try await pool.withConnection(body)
        }
    }

    package func readCommitted<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        let body: @Sendable (any SQLConnection) throws -> Value = { try body(SQLTransaction(app: app, connection: $0)) }
        return try await reporting {
            if let value = try await readOnReplica({ try body(PostgresTransactionConnection($0)) }) { return value }
            return try await reads.read(body)
        }
    }

    /// Runs `body` with a connection to a replica; returns nil if the request states no position, or no replica has reached the position.
    private func readOnReplica<Value: Sendable>(_ body: @escaping @Sendable (PostgresConnection) throws -> Value) async throws -> Value? {
        guard let replicas, let position = RequestPosition.current?.required else { return nil }
        return try await replicas.read(position, body)
    }

    package func writeTables<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (SQLTransaction) throws -> Value
    ) async throws -> Value {
        try await reporting {
            let (value, position) = try await commits.write { try body(SQLTransaction(app: app, connection: $0)) }
            if let position { RequestPosition.current?.record(position) }
            return value
        }
    }

    /// Gives positions to committed events of the feed.
    ///
    /// The transaction reads committed rows: after the lock of the feed's head, it sees every event whose transaction has committed. In a
    /// serializable transaction, the search for events would conflict with the transactions that insert events.
    package func publishFeedEvents(_ app: BundleID, limit: Int) async throws -> Int {
        try await reporting {
            guard try await readUnpublished(app) else { return 0 }
            return try await pool.withTransaction(isolation: .readCommitted) { connection in
                let connection = PostgresTransactionConnection(connection)
                let count = try SQLTransaction(app: app, connection: connection).publishFeedEvents(limit: limit, lock: "FOR UPDATE")
                try connection.requireReplication()
                return count
            }
        }
    }

    private func readUnpublished(_ app: BundleID) async throws -> Bool {
        try await reads.read { try SQLTransaction(app: app, connection: $0).hasUnpublishedFeedEvents() }
    }

    /// Returns the database's current write position, which is after the last commit of the connection.
    private static func position(of connection: PostgresConnection) -> WritePosition {
        // Ignore an error of this query, because the write has succeeded.
        let row = try? connection.queryPrepared("SELECT pg_current_wal_insert_lsn()::text AS position", []).first
        return (try? row?.text("position")).flatMap { WritePosition($0) } ?? .unknown
    }

    /// Returns whether a table exists.
    package func hasTable(_ name: String) async throws -> Bool {
        try await pool.withConnection { connection in
            // Qualify the operators, because the database may define an operator with the same name and more specific types.
            let tables = """
                SELECT 1 AS found FROM pg_catalog.pg_class
                WHERE relkind OPERATOR(pg_catalog.=) 'r'
                    AND oid OPERATOR(pg_catalog.=) CAST(pg_catalog.to_regclass($1) AS pg_catalog.oid)
                """
            return try !connection.query(tables, [.text(name)]).isEmpty
        }
    }

    package func writeSecrets<Value: Sendable>(_ body: @escaping @Sendable (any SharedSecretRecords) throws -> Value) async throws -> Value
    {
        try await reporting { try await commits.write { try body(SQLSecretRecords(locking: $0)) }.value }
    }

    package func checkWritable() async throws {
        try await reporting { try await pool.withTransaction { _ = try $0.query(Self.probe) } }
    }

    private func reporting<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as PostgresError where error == .nullByteInText {
            throw NullCharacterRefusal()
        } catch {
            throw StorageError(error) ?? error
        }
    }
}

/// The error for a text with the character U+0000, which PostgreSQL can't store.
package struct NullCharacterRefusal: Error, Hashable {}
