// reason: the tables of a database are read together.

package import LibPQ

/// The tables of a server's database in PostgreSQL.
///
/// The tables correspond to the current ``SQLiteSchema``, with the types of PostgreSQL. Texts are sorted by their bytes, as in SQLite. Each
/// primary key begins with the app and the column by which a database of several nodes distributes the table.
package enum PostgresSchema {
    /// The statements for each version of the tables, from the tables of the previous version; a published version never changes.
    private static let versions = [tables, fileProducts, customerMerges]
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
                // Another server can have migrated the tables during the comparison.
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
                // Either another server creates the tables at the same time, or foreign tables with these names exist.
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

    private static let fileProducts = """
        CREATE TABLE catalog_file_product (
            app TEXT COLLATE "C" NOT NULL,
            product TEXT COLLATE "C" NOT NULL,
            definition TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, product)
        );
        """

    private static let customerMerges = """
        CREATE TABLE customer_merge (
            app TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            merged TEXT COLLATE "C" NOT NULL,
            date BIGINT NOT NULL,
            record TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, customer, merged)
        );
        CREATE INDEX customer_merge_by_merged ON customer_merge (app, merged);
        """

    private static let tables = """
        CREATE TABLE tillroll_schema (id BIGINT PRIMARY KEY, version BIGINT NOT NULL);
        INSERT INTO tillroll_schema VALUES (1, 1);

        CREATE TABLE secret (
            app TEXT COLLATE "C" NOT NULL,
            name TEXT COLLATE "C" NOT NULL,
            value BYTEA NOT NULL,
            PRIMARY KEY (app, name)
        );

        CREATE TABLE api_key (
            app TEXT COLLATE "C" NOT NULL,
            digest BYTEA NOT NULL,
            id TEXT COLLATE "C" NOT NULL,
            kind TEXT COLLATE "C" NOT NULL,
            scopes TEXT COLLATE "C" NOT NULL,
            name TEXT COLLATE "C" NOT NULL,
            created_at BIGINT NOT NULL,
            revoked_at BIGINT,
            PRIMARY KEY (app, digest)
        );

        CREATE TABLE customer (
            app TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            created_at BIGINT NOT NULL,
            merged_into TEXT COLLATE "C",
            deleted_at BIGINT,
            PRIMARY KEY (app, customer)
        );
        CREATE INDEX customer_merged ON customer (app, merged_into) WHERE merged_into IS NOT NULL;

        CREATE TABLE customer_alias (
            app TEXT COLLATE "C" NOT NULL,
            alias TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, alias)
        );
        CREATE INDEX customer_alias_by_customer ON customer_alias (app, customer);

        CREATE TABLE customer_token (
            app TEXT COLLATE "C" NOT NULL,
            digest BYTEA NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            created_at BIGINT NOT NULL,
            PRIMARY KEY (app, digest)
        );
        CREATE INDEX customer_token_by_customer ON customer_token (app, customer, created_at);

        CREATE TABLE catalog_product (
            app TEXT COLLATE "C" NOT NULL,
            product TEXT COLLATE "C" NOT NULL,
            definition TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, product)
        );
        CREATE TABLE catalog_revision (
            app TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            revision BIGINT NOT NULL
        );

        CREATE TABLE signed_event (
            app TEXT COLLATE "C" NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            digest BYTEA NOT NULL,
            signed_date BIGINT NOT NULL,
            received_at BIGINT NOT NULL,
            -- either a signed transaction (StoredJWS), or the digest of a receipt
            signed_transaction TEXT COLLATE "C",
            signed_renewal_info TEXT COLLATE "C",
            receipt BYTEA,
            event TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, original_transaction_id, digest)
        );

        CREATE TABLE receipt (
            app TEXT COLLATE "C" NOT NULL,
            digest BYTEA NOT NULL,
            receipt BYTEA NOT NULL,
            PRIMARY KEY (app, digest)
        );

        CREATE TABLE transaction_version (
            app TEXT COLLATE "C" NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            transaction_id TEXT COLLATE "C" NOT NULL,
            purchase_date BIGINT NOT NULL,
            paid_until BIGINT NOT NULL,
            app_account_token TEXT COLLATE "C",
            -- empty for a transaction without a period
            period TEXT COLLATE "C" NOT NULL,
            signed_date BIGINT NOT NULL,
            source TEXT COLLATE "C" NOT NULL,
            charge TEXT COLLATE "C",
            is_revoked BOOLEAN NOT NULL,
            -- whether an earlier or the newest version is revoked
            was_revoked BOOLEAN NOT NULL,
            revoked_percentage BIGINT NOT NULL,
            digest BYTEA NOT NULL,
            event TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, original_transaction_id, transaction_id)
        );
        CREATE INDEX transaction_version_by_end
            ON transaction_version (app, original_transaction_id, paid_until, transaction_id);
        CREATE INDEX transaction_version_by_period
            ON transaction_version (app, original_transaction_id, period, is_revoked DESC, paid_until, transaction_id);
        CREATE INDEX transaction_version_by_date ON transaction_version (app, purchase_date, transaction_id);
        CREATE INDEX transaction_version_with_token
            ON transaction_version (app, original_transaction_id, paid_until, transaction_id) WHERE app_account_token IS NOT NULL;
        CREATE INDEX transaction_version_revoked
            ON transaction_version (app, original_transaction_id, period, signed_date, revoked_percentage, transaction_id, source)
            WHERE is_revoked;
        CREATE INDEX transaction_version_reversed
            ON transaction_version (app, original_transaction_id, period, signed_date) WHERE was_revoked AND NOT is_revoked;
        CREATE INDEX transaction_version_by_charge
            ON transaction_version (app, original_transaction_id, charge, is_revoked, signed_date, revoked_percentage)
            WHERE was_revoked;

        -- the earliest start that the transactions of a period state
        CREATE TABLE purchase_period (
            app TEXT COLLATE "C" NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            period TEXT COLLATE "C" NOT NULL,
            start BIGINT NOT NULL,
            PRIMARY KEY (app, original_transaction_id, period)
        );
        CREATE INDEX purchase_period_by_start ON purchase_period (app, original_transaction_id, start, period);

        CREATE TABLE renewal_version (
            app TEXT COLLATE "C" NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            digest BYTEA NOT NULL,
            event TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, original_transaction_id)
        );

        CREATE TABLE purchase (
            app TEXT COLLATE "C" NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C",
            attribution TEXT COLLATE "C",
            shared_with TEXT COLLATE "C" NOT NULL,
            entitlement TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, original_transaction_id)
        );
        CREATE TABLE purchase_claim (
            app TEXT COLLATE "C" NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            number BIGINT NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            attribution TEXT COLLATE "C" NOT NULL,
            outcome TEXT COLLATE "C" NOT NULL,
            previous TEXT COLLATE "C",
            date BIGINT NOT NULL,
            PRIMARY KEY (app, original_transaction_id, number)
        );

        CREATE TABLE jws_header (
            app TEXT COLLATE "C" NOT NULL,
            key TEXT COLLATE "C" NOT NULL,
            header TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, key)
        );

        CREATE TABLE entitlement_grant (
            app TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            entitlement TEXT COLLATE "C" NOT NULL,
            granted_at BIGINT NOT NULL,
            until BIGINT,
            reason TEXT COLLATE "C" NOT NULL,
            revoked_at BIGINT,
            PRIMARY KEY (app, customer, entitlement, granted_at)
        );

        CREATE TABLE customer_consent (
            app TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            consumption_at BIGINT NOT NULL,
            PRIMARY KEY (app, customer)
        );

        CREATE TABLE ledger_posting (
            app TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            currency TEXT COLLATE "C" NOT NULL,
            kind TEXT COLLATE "C" NOT NULL,
            key TEXT COLLATE "C" NOT NULL,
            number BIGINT NOT NULL,
            balance BIGINT NOT NULL,
            date BIGINT NOT NULL,
            PRIMARY KEY (app, customer, currency, kind, key)
        );
        CREATE UNIQUE INDEX ledger_posting_by_number ON ledger_posting (app, customer, currency, number);

        CREATE TABLE ledger_entry (
            app TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            currency TEXT COLLATE "C" NOT NULL,
            number BIGINT NOT NULL,
            account TEXT COLLATE "C" NOT NULL,
            amount BIGINT NOT NULL,
            PRIMARY KEY (app, customer, currency, number, account)
        );

        CREATE TABLE ledger_balance (
            app TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            currency TEXT COLLATE "C" NOT NULL,
            amount BIGINT NOT NULL,
            is_frozen BOOLEAN NOT NULL,
            postings BIGINT NOT NULL,
            PRIMARY KEY (app, customer, currency)
        );

        CREATE TABLE purchase_credit (
            app TEXT COLLATE "C" NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            charge TEXT COLLATE "C" NOT NULL,
            transaction_id TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            currency TEXT COLLATE "C" NOT NULL,
            credits BIGINT NOT NULL CHECK (credits >= 0),
            revoked BIGINT NOT NULL CHECK (revoked BETWEEN 0 AND credits),
            written_off BIGINT NOT NULL CHECK (written_off BETWEEN 0 AND revoked),
            changes BIGINT NOT NULL,
            PRIMARY KEY (app, original_transaction_id, charge)
        );

        CREATE TABLE credit_decision (
            app TEXT COLLATE "C" NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            kind TEXT COLLATE "C" NOT NULL,
            key TEXT COLLATE "C" NOT NULL,
            charge TEXT COLLATE "C" NOT NULL,
            transaction_id TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            currency TEXT COLLATE "C" NOT NULL,
            credits BIGINT NOT NULL,
            credits_per_unit BIGINT,
            written_off BIGINT NOT NULL,
            refund_policy TEXT COLLATE "C",
            -- the number of the posting
            number BIGINT NOT NULL,
            date BIGINT NOT NULL,
            PRIMARY KEY (app, original_transaction_id, kind, key)
        );

        CREATE TABLE rebuild_progress (
            app TEXT COLLATE "C" NOT NULL,
            mode TEXT COLLATE "C" NOT NULL,
            progress TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, mode)
        );

        CREATE TABLE notification (
            app TEXT COLLATE "C" NOT NULL,
            uuid TEXT COLLATE "C" NOT NULL,
            kind TEXT COLLATE "C" NOT NULL,
            signed_date BIGINT NOT NULL,
            received_at BIGINT NOT NULL,
            has_transaction BOOLEAN NOT NULL,
            -- a StoredJWS; NULL for a notification of version 1
            signed_notification TEXT COLLATE "C",
            PRIMARY KEY (app, uuid)
        );
        CREATE INDEX notification_by_date ON notification (app, signed_date, uuid);

        CREATE TABLE refused_notification (
            app TEXT COLLATE "C" NOT NULL,
            slot BIGINT NOT NULL,
            number BIGINT NOT NULL,
            date BIGINT NOT NULL,
            code TEXT COLLATE "C" NOT NULL,
            message TEXT COLLATE "C" NOT NULL,
            size BIGINT NOT NULL,
            head BYTEA NOT NULL,
            PRIMARY KEY (app, slot)
        );

        CREATE TABLE verify_receipt_comparison (
            app TEXT COLLATE "C" NOT NULL,
            slot BIGINT NOT NULL,
            number BIGINT NOT NULL,
            comparison TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, slot)
        );

        CREATE TABLE import_progress (
            app TEXT COLLATE "C" NOT NULL,
            file TEXT COLLATE "C" NOT NULL,
            progress TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, file)
        );

        CREATE TABLE content_version (
            app TEXT COLLATE "C" NOT NULL,
            product TEXT COLLATE "C" NOT NULL,
            item TEXT COLLATE "C" NOT NULL,
            version TEXT COLLATE "C" NOT NULL,
            sequence BIGINT NOT NULL,
            file_name TEXT COLLATE "C" NOT NULL,
            media_type TEXT COLLATE "C" NOT NULL,
            length BIGINT NOT NULL,
            sha256 TEXT COLLATE "C" NOT NULL,
            manifest TEXT COLLATE "C" NOT NULL,
            published_at BIGINT NOT NULL,
            PRIMARY KEY (app, product, item, version)
        );

        CREATE TABLE download_token (
            app TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            issued_at BIGINT NOT NULL,
            token TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, customer, original_transaction_id, issued_at, token)
        );
        CREATE INDEX download_token_by_date ON download_token (app, issued_at);

        CREATE TABLE reconciliation (
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            complete_until BIGINT,
            completed_at BIGINT,
            window_start BIGINT,
            window_end BIGINT,
            window_requested_end BIGINT,
            window_token TEXT COLLATE "C",
            window_is_verified BOOLEAN NOT NULL,
            PRIMARY KEY (app, environment)
        );

        CREATE TABLE customer_purchase (
            app TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            product_id TEXT COLLATE "C" NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            attribution TEXT COLLATE "C" NOT NULL,
            owner TEXT COLLATE "C",
            entitlement TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, customer, product_id, original_transaction_id)
        );

        CREATE TABLE purchase_lookup (
            app TEXT COLLATE "C" NOT NULL,
            partition BIGINT NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            due_at BIGINT NOT NULL,
            -- when the App Store last stated the state of the purchase
            asked_at BIGINT,
            PRIMARY KEY (app, partition, original_transaction_id)
        );
        CREATE INDEX purchase_lookup_by_date ON purchase_lookup (app, partition, due_at, original_transaction_id);

        CREATE TABLE outgoing_request (
            app TEXT COLLATE "C" NOT NULL,
            partition BIGINT NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            kind TEXT COLLATE "C" NOT NULL,
            key TEXT COLLATE "C" NOT NULL,
            transaction_id TEXT COLLATE "C" NOT NULL,
            expires_at BIGINT NOT NULL,
            due_at BIGINT NOT NULL,
            attempts BIGINT NOT NULL,
            PRIMARY KEY (app, partition, original_transaction_id, kind, key)
        );
        CREATE INDEX outgoing_request_by_date ON outgoing_request (app, partition, due_at, original_transaction_id, kind, key);

        CREATE TABLE probe (
            app TEXT COLLATE "C" NOT NULL,
            partition BIGINT NOT NULL,
            number BIGINT NOT NULL,
            PRIMARY KEY (app, partition)
        );
        INSERT INTO probe VALUES ('', 0, 0);
        CREATE INDEX signed_event_by_date ON signed_event (app, original_transaction_id, signed_date, received_at, digest);
        """
}
