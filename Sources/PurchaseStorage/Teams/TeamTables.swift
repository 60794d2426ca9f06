extension SQLiteSchema {
    /// The tables of teams.
    ///
    /// The table `customer_seat` has a row for each claim, by the member, so that the entitlements of a customer are read by one key.
    static let teamTables = """
        CREATE TABLE team (
            app TEXT NOT NULL,
            partition INTEGER NOT NULL,
            original_transaction_id TEXT NOT NULL,
            due_at INTEGER NOT NULL,
            checked_at INTEGER,
            surplus_since INTEGER,
            unknown_claims INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            PRIMARY KEY (app, partition, original_transaction_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX team_by_date ON team (app, partition, due_at, original_transaction_id);

        CREATE TABLE seat_invitation (
            app TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            id TEXT NOT NULL,
            token_digest BLOB NOT NULL,
            note TEXT,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            -- the request identifier of the claim that accepted the invitation
            claim TEXT,
            PRIMARY KEY (app, original_transaction_id, id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE seat_claim (
            app TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            request_identifier TEXT NOT NULL,
            customer TEXT NOT NULL,
            invitation TEXT NOT NULL,
            app_transaction_id TEXT,
            seat_claim_id TEXT,
            state TEXT NOT NULL,
            requested_at INTEGER NOT NULL,
            claimed_at INTEGER,
            ended_at INTEGER,
            end_reason TEXT,
            PRIMARY KEY (app, original_transaction_id, request_identifier)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX seat_claim_by_id ON seat_claim (app, seat_claim_id);

        CREATE TABLE customer_seat (
            app TEXT NOT NULL,
            customer TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            request_identifier TEXT NOT NULL,
            claimed_at INTEGER,
            ended_at INTEGER,
            end_reason TEXT,
            PRIMARY KEY (app, customer, original_transaction_id, request_identifier)
        ) STRICT, WITHOUT ROWID;
        """
}

extension PostgresSchema {
    static let teamTables = """
        CREATE TABLE team (
            app TEXT COLLATE "C" NOT NULL,
            partition BIGINT NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            due_at BIGINT NOT NULL,
            checked_at BIGINT,
            surplus_since BIGINT,
            unknown_claims BIGINT NOT NULL,
            attempts BIGINT NOT NULL,
            PRIMARY KEY (app, partition, original_transaction_id)
        );
        CREATE INDEX team_by_date ON team (app, partition, due_at, original_transaction_id);

        CREATE TABLE seat_invitation (
            app TEXT COLLATE "C" NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            id TEXT COLLATE "C" NOT NULL,
            token_digest BYTEA NOT NULL,
            note TEXT COLLATE "C",
            created_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL,
            -- the request identifier of the claim that accepted the invitation
            claim TEXT COLLATE "C",
            PRIMARY KEY (app, original_transaction_id, id)
        );

        CREATE TABLE seat_claim (
            app TEXT COLLATE "C" NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            request_identifier TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            invitation TEXT COLLATE "C" NOT NULL,
            app_transaction_id TEXT COLLATE "C",
            seat_claim_id TEXT COLLATE "C",
            state TEXT COLLATE "C" NOT NULL,
            requested_at BIGINT NOT NULL,
            claimed_at BIGINT,
            ended_at BIGINT,
            end_reason TEXT COLLATE "C",
            PRIMARY KEY (app, original_transaction_id, request_identifier)
        );
        CREATE INDEX seat_claim_by_id ON seat_claim (app, seat_claim_id);

        CREATE TABLE customer_seat (
            app TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            request_identifier TEXT COLLATE "C" NOT NULL,
            claimed_at BIGINT,
            ended_at BIGINT,
            end_reason TEXT COLLATE "C",
            PRIMARY KEY (app, customer, original_transaction_id, request_identifier)
        );
        """
}
