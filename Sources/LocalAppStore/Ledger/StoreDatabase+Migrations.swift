import GRDB

extension StoreDatabase {
    /// The migrations, by name and in order; a name that was released is never changed.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 ledger") { db in
            try db.execute(sql: accounts)
            try db.execute(sql: purchases)
            try db.execute(sql: notifications)
            try db.execute(
                sql: "INSERT INTO counters (name, value) VALUES ('transaction', ?), ('orderLine', ?)",
                arguments: [numberBeforeFirstTransaction, numberBeforeFirstOrderLine]
            )
        }
        return migrator
    }

    private static let accounts = """
        CREATE TABLE settings (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT;
        CREATE TABLE counters (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) STRICT;
        CREATE TABLE accounts (
            id TEXT PRIMARY KEY NOT NULL, password TEXT NOT NULL, asksToBuy INTEGER NOT NULL, cardWorks INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE sessions (
            tokenHash BLOB PRIMARY KEY NOT NULL, account TEXT NOT NULL REFERENCES accounts (id), device TEXT NOT NULL,
            appVersion TEXT NOT NULL
        ) STRICT;
        CREATE INDEX sessions_account ON sessions (account);
        """

    private static let purchases = """
        CREATE TABLE payments (
            id TEXT PRIMARY KEY NOT NULL, account TEXT NOT NULL REFERENCES accounts (id), device TEXT NOT NULL,
            appVersion TEXT NOT NULL, productID TEXT NOT NULL, quantity INTEGER NOT NULL, appAccountToken TEXT, state TEXT NOT NULL
        ) STRICT;
        CREATE INDEX payments_state ON payments (state, account, device);
        CREATE TABLE transactions (
            id TEXT PRIMARY KEY NOT NULL, originalID TEXT NOT NULL REFERENCES transactions (id), kind TEXT NOT NULL,
            account TEXT NOT NULL REFERENCES accounts (id), device TEXT NOT NULL, appVersion TEXT NOT NULL,
            productID TEXT NOT NULL, type TEXT NOT NULL, groupID TEXT, quantity INTEGER NOT NULL, price INTEGER NOT NULL,
            currency TEXT NOT NULL, reason TEXT NOT NULL, purchaseDate INTEGER NOT NULL, originalPurchaseDate INTEGER NOT NULL,
            expiresDate INTEGER, webOrderLineItemID TEXT, appAccountToken TEXT, payment TEXT UNIQUE REFERENCES payments (id),
            restores TEXT REFERENCES transactions (id), restoreRequest TEXT, finishedAt INTEGER, revokedAt INTEGER,
            UNIQUE (account, restoreRequest, restores)
        ) STRICT;
        CREATE INDEX transactions_account ON transactions (account, device);
        CREATE INDEX transactions_original ON transactions (originalID);
        CREATE TABLE charges (
            id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL REFERENCES accounts (id),
            transactionID TEXT NOT NULL REFERENCES transactions (id), kind TEXT NOT NULL, productID TEXT NOT NULL,
            date INTEGER NOT NULL, amount INTEGER NOT NULL, currency TEXT NOT NULL,
            UNIQUE (transactionID, kind)
        ) STRICT;
        CREATE TABLE restores (
            account TEXT NOT NULL REFERENCES accounts (id), request TEXT NOT NULL, date INTEGER NOT NULL,
            PRIMARY KEY (account, request)
        ) STRICT;
        CREATE TABLE subscriptions (
            id TEXT PRIMARY KEY NOT NULL REFERENCES transactions (id), account TEXT NOT NULL REFERENCES accounts (id),
            groupID TEXT NOT NULL, subscription TEXT NOT NULL, nextDue INTEGER,
            UNIQUE (account, groupID)
        ) STRICT;
        CREATE INDEX subscriptions_due ON subscriptions (nextDue) WHERE nextDue IS NOT NULL;
        """

    private static let notifications = """
        CREATE TABLE notifications (
            uuid TEXT PRIMARY KEY NOT NULL, type TEXT NOT NULL, subtype TEXT, signedDate INTEGER NOT NULL,
            signedPayload TEXT NOT NULL, attempts INTEGER NOT NULL, isDelivered INTEGER NOT NULL, nextAttempt INTEGER
        ) STRICT;
        CREATE INDEX notifications_due ON notifications (nextAttempt) WHERE nextAttempt IS NOT NULL;
        """
}
