extension SQLiteSchema {
    /// The tables of the feed.
    ///
    /// The table `feed_outbox` contains the events without a position; a database with one writer gives positions at once, and leaves the
    /// table empty. The rows of the table, and those of `feed_team`, are few, so their keys have no distribution column. A block has 1,024
    /// positions.
    static let feedTables = """
        CREATE TABLE feed_event (
            app TEXT NOT NULL,
            block INTEGER NOT NULL,
            position INTEGER NOT NULL,
            id TEXT NOT NULL,
            type TEXT NOT NULL,
            customer TEXT,
            ordinal INTEGER NOT NULL,
            recorded_at INTEGER NOT NULL,
            event TEXT NOT NULL,
            PRIMARY KEY (app, block, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE feed_outbox (
            app TEXT NOT NULL,
            ordinal INTEGER NOT NULL,
            id TEXT NOT NULL,
            type TEXT NOT NULL,
            customer TEXT,
            recorded_at INTEGER NOT NULL,
            event TEXT NOT NULL,
            PRIMARY KEY (app, ordinal, id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE feed_head (
            app TEXT NOT NULL,
            newest INTEGER NOT NULL,
            PRIMARY KEY (app)
        ) STRICT, WITHOUT ROWID;

        -- apart from feed_head, whose row the server writes for each event
        CREATE TABLE feed_retention (
            app TEXT NOT NULL,
            removed INTEGER NOT NULL,
            PRIMARY KEY (app)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE feed_sweep (
            app TEXT NOT NULL,
            sweep TEXT NOT NULL,
            PRIMARY KEY (app)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE feed_team (
            app TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            change_id TEXT NOT NULL,
            cause TEXT NOT NULL,
            last_customer TEXT,
            PRIMARY KEY (app, original_transaction_id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE feed_customer (
            app TEXT NOT NULL,
            partition INTEGER NOT NULL,
            customer TEXT NOT NULL,
            ordinal INTEGER NOT NULL,
            due_at INTEGER,
            checked_at INTEGER NOT NULL,
            entitlements TEXT,
            PRIMARY KEY (app, partition, customer)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX feed_customer_by_date ON feed_customer (app, partition, due_at, customer);
        CREATE INDEX seat_claim_by_member ON seat_claim (app, original_transaction_id, customer);
        """
}

extension PostgresSchema {
    static let feedTables = """
        CREATE TABLE feed_event (
            app TEXT COLLATE "C" NOT NULL,
            block BIGINT NOT NULL,
            position BIGINT NOT NULL,
            id TEXT COLLATE "C" NOT NULL,
            type TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C",
            ordinal BIGINT NOT NULL,
            recorded_at BIGINT NOT NULL,
            event TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, block, position)
        );

        CREATE TABLE feed_outbox (
            app TEXT COLLATE "C" NOT NULL,
            ordinal BIGINT NOT NULL,
            id TEXT COLLATE "C" NOT NULL,
            type TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C",
            recorded_at BIGINT NOT NULL,
            event TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, ordinal, id)
        );

        CREATE TABLE feed_head (
            app TEXT COLLATE "C" NOT NULL,
            newest BIGINT NOT NULL,
            PRIMARY KEY (app)
        );

        -- apart from feed_head, whose row the server writes for each event
        CREATE TABLE feed_retention (
            app TEXT COLLATE "C" NOT NULL,
            removed BIGINT NOT NULL,
            PRIMARY KEY (app)
        );

        CREATE TABLE feed_sweep (
            app TEXT COLLATE "C" NOT NULL,
            sweep TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app)
        );

        CREATE TABLE feed_team (
            app TEXT COLLATE "C" NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            change_id TEXT COLLATE "C" NOT NULL,
            cause TEXT COLLATE "C" NOT NULL,
            last_customer TEXT COLLATE "C",
            PRIMARY KEY (app, original_transaction_id)
        );

        CREATE TABLE feed_customer (
            app TEXT COLLATE "C" NOT NULL,
            partition BIGINT NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            ordinal BIGINT NOT NULL,
            due_at BIGINT,
            checked_at BIGINT NOT NULL,
            entitlements TEXT COLLATE "C",
            PRIMARY KEY (app, partition, customer)
        );
        CREATE INDEX feed_customer_by_date ON feed_customer (app, partition, due_at, customer);
        CREATE INDEX seat_claim_by_member ON seat_claim (app, original_transaction_id, customer);
        """
}
