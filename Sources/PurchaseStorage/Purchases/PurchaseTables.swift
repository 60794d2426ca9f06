extension SQLiteSchema {
    /// The tables of purchases and their events.
    ///
    /// The table `transaction_version` has the newest version of each transaction. With the indexes of `transaction_version`, the queries
    /// of ``decidingEvents(of:)`` read a few rows for any number of events.
    static let purchaseTables = """
        CREATE TABLE signed_event (
            app TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            digest BLOB NOT NULL,
            signed_date INTEGER NOT NULL,
            received_at INTEGER NOT NULL,
            -- either a signed transaction (StoredJWS), or the digest of a receipt
            signed_transaction TEXT,
            signed_renewal_info TEXT,
            receipt BLOB,
            event TEXT NOT NULL,
            PRIMARY KEY (app, original_transaction_id, digest)
        ) STRICT;

        CREATE TABLE receipt (
            app TEXT NOT NULL,
            digest BLOB NOT NULL,
            receipt BLOB NOT NULL,
            PRIMARY KEY (app, digest)
        ) STRICT;

        CREATE TABLE transaction_version (
            app TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            transaction_id TEXT NOT NULL,
            purchase_date INTEGER NOT NULL,
            paid_until INTEGER NOT NULL,
            app_account_token TEXT,
            -- empty for a transaction without a period
            period TEXT NOT NULL,
            signed_date INTEGER NOT NULL,
            source TEXT NOT NULL,
            charge TEXT,
            is_revoked INTEGER NOT NULL,
            -- whether an earlier or the newest version is revoked
            was_revoked INTEGER NOT NULL,
            revoked_percentage INTEGER NOT NULL,
            digest BLOB NOT NULL,
            event TEXT NOT NULL,
            PRIMARY KEY (app, original_transaction_id, transaction_id)
        ) STRICT;
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
            app TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            period TEXT NOT NULL,
            start INTEGER NOT NULL,
            PRIMARY KEY (app, original_transaction_id, period)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX purchase_period_by_start ON purchase_period (app, original_transaction_id, start, period);

        CREATE TABLE renewal_version (
            app TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            digest BLOB NOT NULL,
            event TEXT NOT NULL,
            PRIMARY KEY (app, original_transaction_id)
        ) STRICT;

        CREATE TABLE purchase (
            app TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            customer TEXT,
            attribution TEXT,
            shared_with TEXT NOT NULL,
            entitlement TEXT NOT NULL,
            PRIMARY KEY (app, original_transaction_id)
        ) STRICT;
        CREATE TABLE customer_purchase (
            app TEXT NOT NULL,
            customer TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            attribution TEXT NOT NULL,
            -- the owner of a purchase that is shared with the customer
            owner TEXT,
            entitlement TEXT NOT NULL,
            PRIMARY KEY (app, customer, original_transaction_id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE purchase_transfer (
            app TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            number INTEGER NOT NULL,
            from_customer TEXT NOT NULL,
            to_customer TEXT NOT NULL,
            date INTEGER NOT NULL,
            PRIMARY KEY (app, original_transaction_id, number)
        ) STRICT, WITHOUT ROWID;
        """
}

extension PostgresSchema {
    static let purchaseTables = """
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
        CREATE INDEX signed_event_by_date ON signed_event (app, original_transaction_id, signed_date, received_at, digest);
        """
}
