extension SQLiteSchema {
    /// The tables of webhooks.
    ///
    /// The position of an endpoint is apart from its settings, because the server writes the position for each event. A delivery names the
    /// event, whose text stays in the feed only. All rows of an endpoint have one distribution column, because one transaction changes a
    /// lane and its deliveries.
    static let webhookTables = """
        CREATE TABLE webhook_endpoint (
            app TEXT NOT NULL,
            endpoint TEXT NOT NULL,
            settings TEXT NOT NULL,
            PRIMARY KEY (app, endpoint)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE webhook_position (
            app TEXT NOT NULL,
            endpoint TEXT NOT NULL,
            position INTEGER NOT NULL,
            PRIMARY KEY (app, endpoint)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE webhook_lane (
            app TEXT NOT NULL,
            endpoint TEXT NOT NULL,
            lane TEXT NOT NULL,
            due_at INTEGER NOT NULL,
            claim TEXT,
            PRIMARY KEY (app, endpoint, lane)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX webhook_lane_by_date ON webhook_lane (app, endpoint, due_at, lane);

        CREATE TABLE webhook_delivery (
            app TEXT NOT NULL,
            endpoint TEXT NOT NULL,
            lane TEXT NOT NULL,
            position INTEGER NOT NULL,
            message TEXT NOT NULL,
            type TEXT NOT NULL,
            enqueued_at INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            failure TEXT,
            PRIMARY KEY (app, endpoint, lane, position, message)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE webhook_dead_letter (
            app TEXT NOT NULL,
            endpoint TEXT NOT NULL,
            died_at INTEGER NOT NULL,
            message TEXT NOT NULL,
            lane TEXT NOT NULL,
            position INTEGER NOT NULL,
            type TEXT NOT NULL,
            enqueued_at INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            failure TEXT,
            PRIMARY KEY (app, endpoint, message)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX webhook_dead_letter_by_date ON webhook_dead_letter (app, endpoint, died_at, message);
        """
}

extension PostgresSchema {
    static let webhookTables = """
        CREATE TABLE webhook_endpoint (
            app TEXT COLLATE "C" NOT NULL,
            endpoint TEXT COLLATE "C" NOT NULL,
            settings TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, endpoint)
        );

        CREATE TABLE webhook_position (
            app TEXT COLLATE "C" NOT NULL,
            endpoint TEXT COLLATE "C" NOT NULL,
            position BIGINT NOT NULL,
            PRIMARY KEY (app, endpoint)
        );

        CREATE TABLE webhook_lane (
            app TEXT COLLATE "C" NOT NULL,
            endpoint TEXT COLLATE "C" NOT NULL,
            lane TEXT COLLATE "C" NOT NULL,
            due_at BIGINT NOT NULL,
            claim TEXT COLLATE "C",
            PRIMARY KEY (app, endpoint, lane)
        );
        CREATE INDEX webhook_lane_by_date ON webhook_lane (app, endpoint, due_at, lane);

        CREATE TABLE webhook_delivery (
            app TEXT COLLATE "C" NOT NULL,
            endpoint TEXT COLLATE "C" NOT NULL,
            lane TEXT COLLATE "C" NOT NULL,
            position BIGINT NOT NULL,
            message TEXT COLLATE "C" NOT NULL,
            type TEXT COLLATE "C" NOT NULL,
            enqueued_at BIGINT NOT NULL,
            attempts BIGINT NOT NULL,
            failure TEXT COLLATE "C",
            PRIMARY KEY (app, endpoint, lane, position, message)
        );

        CREATE TABLE webhook_dead_letter (
            app TEXT COLLATE "C" NOT NULL,
            endpoint TEXT COLLATE "C" NOT NULL,
            died_at BIGINT NOT NULL,
            message TEXT COLLATE "C" NOT NULL,
            lane TEXT COLLATE "C" NOT NULL,
            position BIGINT NOT NULL,
            type TEXT COLLATE "C" NOT NULL,
            enqueued_at BIGINT NOT NULL,
            attempts BIGINT NOT NULL,
            failure TEXT COLLATE "C",
            PRIMARY KEY (app, endpoint, message)
        );
        CREATE INDEX webhook_dead_letter_by_date ON webhook_dead_letter (app, endpoint, died_at, message);
        """
}
