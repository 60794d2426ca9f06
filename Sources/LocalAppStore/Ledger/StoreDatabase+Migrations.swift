import GRDB

extension StoreDatabase {
    /// The migrations, by name and in order; a released migration never changes.
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
        migrator.registerMigration("2 apps, people and offers") { db in
            try db.execute(sql: apps)
            try db.execute(sql: people)
            try db.execute(sql: offers)
            try db.execute(sql: news)
            try db.execute(
                sql: """
                    INSERT INTO counters (name, value)
                    VALUES ('appTransaction', ?), ('order', 0), ('change', (SELECT COALESCE(MAX(change), 0) FROM transactions))
                    """,
                arguments: [numberBeforeFirstAppTransaction]
            )
        }
        migrator.registerMigration("3 devices") { db in
            try db.execute(sql: devices)
        }
        migrator.registerMigration("4 first sign-ins") { db in
            try db.execute(sql: "ALTER TABLE sessions ADD COLUMN behind INTEGER NOT NULL DEFAULT 0")
        }
        migrator.registerMigration("5 usernames") { db in
            try db.execute(sql: usernames)
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

    private static let apps = """
        CREATE TABLE apps (
            bundleID TEXT PRIMARY KEY NOT NULL, appAppleID INTEGER NOT NULL UNIQUE, version TEXT NOT NULL, storekit BLOB,
            sharedSecret TEXT, sandboxURL TEXT, productionURL TEXT, notificationVersion INTEGER NOT NULL,
            receiptOrder TEXT NOT NULL
        ) STRICT;
        CREATE TABLE downloads (
            id TEXT PRIMARY KEY NOT NULL, account TEXT NOT NULL REFERENCES accounts (id), bundleID TEXT NOT NULL,
            originalAppVersion TEXT NOT NULL, originalPurchaseDate INTEGER NOT NULL, UNIQUE (account, bundleID)
        ) STRICT;
        ALTER TABLE sessions ADD COLUMN bundleID TEXT NOT NULL DEFAULT '';
        CREATE TABLE promotions (
            id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL REFERENCES accounts (id), bundleID TEXT NOT NULL,
            productID TEXT NOT NULL, offerID TEXT
        ) STRICT;
        """

    private static let people = """
        ALTER TABLE accounts ADD COLUMN environment TEXT NOT NULL DEFAULT 'Sandbox';
        ALTER TABLE accounts ADD COLUMN storefront TEXT;
        ALTER TABLE accounts ADD COLUMN family TEXT;
        ALTER TABLE accounts ADD COLUMN sharesPurchases INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE accounts ADD COLUMN interruptsPurchases INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE restrictedDevices (id TEXT PRIMARY KEY NOT NULL) STRICT;
        """

    private static let offers = """
        ALTER TABLE payments ADD COLUMN bundleID TEXT NOT NULL DEFAULT '';
        ALTER TABLE payments ADD COLUMN offerType INTEGER;
        ALTER TABLE payments ADD COLUMN offerID TEXT;
        ALTER TABLE payments ADD COLUMN allowsIntroductory INTEGER;
        ALTER TABLE payments ADD COLUMN result TEXT;
        CREATE TABLE offerNonces (nonce TEXT PRIMARY KEY NOT NULL) STRICT;
        ALTER TABLE transactions ADD COLUMN bundleID TEXT NOT NULL DEFAULT '';
        ALTER TABLE transactions ADD COLUMN environment TEXT NOT NULL DEFAULT 'Sandbox';
        ALTER TABLE transactions ADD COLUMN storefront TEXT NOT NULL DEFAULT 'USA';
        ALTER TABLE transactions ADD COLUMN orderID TEXT NOT NULL DEFAULT '';
        ALTER TABLE transactions ADD COLUMN customer TEXT NOT NULL DEFAULT '';
        ALTER TABLE transactions ADD COLUMN sharedFrom TEXT REFERENCES transactions (id);
        ALTER TABLE transactions ADD COLUMN offerType INTEGER;
        ALTER TABLE transactions ADD COLUMN offerID TEXT;
        ALTER TABLE transactions ADD COLUMN offerMode TEXT;
        ALTER TABLE transactions ADD COLUMN offerPeriod TEXT;
        ALTER TABLE transactions ADD COLUMN upgradedAt INTEGER;
        ALTER TABLE transactions ADD COLUMN period INTEGER;
        CREATE UNIQUE INDEX transactions_period ON transactions (originalID, period) WHERE period IS NOT NULL AND kind <> 'restore';
        ALTER TABLE transactions ADD COLUMN revocationReason INTEGER;
        ALTER TABLE transactions ADD COLUMN revocationType TEXT;
        ALTER TABLE transactions ADD COLUMN revocationPercentage INTEGER;
        ALTER TABLE transactions ADD COLUMN change INTEGER NOT NULL DEFAULT 0;
        UPDATE transactions SET change = rowid;
        CREATE INDEX transactions_change ON transactions (account, bundleID, change);
        CREATE INDEX transactions_revoked ON transactions (account, bundleID, revokedAt, change) WHERE revokedAt IS NOT NULL;
        CREATE INDEX transactions_shared ON transactions (sharedFrom) WHERE sharedFrom IS NOT NULL;
        CREATE INDEX transactions_order ON transactions (orderID);
        CREATE TABLE subscriptionsByApp (
            id TEXT PRIMARY KEY NOT NULL REFERENCES transactions (id), account TEXT NOT NULL REFERENCES accounts (id),
            bundleID TEXT NOT NULL, groupID TEXT NOT NULL, subscription TEXT NOT NULL, nextDue INTEGER,
            sharedFrom TEXT REFERENCES transactions (id)
        ) STRICT;
        DROP TABLE subscriptions;
        ALTER TABLE subscriptionsByApp RENAME TO subscriptions;
        CREATE INDEX subscriptions_due ON subscriptions (nextDue) WHERE nextDue IS NOT NULL;
        CREATE INDEX subscriptions_account ON subscriptions (account, bundleID, groupID);
        CREATE UNIQUE INDEX subscriptions_own ON subscriptions (account, bundleID, groupID) WHERE sharedFrom IS NULL;
        CREATE INDEX subscriptions_shared ON subscriptions (sharedFrom) WHERE sharedFrom IS NOT NULL;
        CREATE TABLE refundRequests (
            id INTEGER PRIMARY KEY AUTOINCREMENT, transactionID TEXT NOT NULL REFERENCES transactions (id), reason TEXT NOT NULL,
            date INTEGER NOT NULL, due INTEGER, state TEXT NOT NULL, consumption TEXT
        ) STRICT;
        CREATE INDEX refundRequests_transaction ON refundRequests (transactionID);
        CREATE TABLE massExtensions (
            bundleID TEXT NOT NULL, environment TEXT NOT NULL, request TEXT NOT NULL, productID TEXT NOT NULL, storefronts TEXT,
            days INTEGER NOT NULL, reached INTEGER NOT NULL, completeDate INTEGER, succeeded INTEGER NOT NULL, failed INTEGER NOT NULL,
            PRIMARY KEY (bundleID, environment, request)
        ) STRICT;
        CREATE INDEX massExtensions_open ON massExtensions (request) WHERE completeDate IS NULL;
        """

    private static let devices = """
        ALTER TABLE transactions ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
        UPDATE transactions SET revision = change;
        CREATE INDEX transactions_revision ON transactions (account, bundleID, revision) WHERE kind <> 'restore';
        CREATE INDEX transactions_unfinished ON transactions (account, device, bundleID) WHERE finishedAt IS NULL;
        CREATE INDEX transactions_restored ON transactions (account, restoreRequest) WHERE restoreRequest IS NOT NULL;
        ALTER TABLE contents ADD COLUMN version TEXT NOT NULL DEFAULT '1.0';
        """

    private static let usernames = """
        ALTER TABLE payments ADD COLUMN username TEXT;
        ALTER TABLE transactions ADD COLUMN username TEXT;
        """

    private static let news = """
        ALTER TABLE notifications ADD COLUMN bundleID TEXT NOT NULL DEFAULT '';
        ALTER TABLE notifications ADD COLUMN environment TEXT NOT NULL DEFAULT 'Sandbox';
        ALTER TABLE notifications ADD COLUMN version INTEGER NOT NULL DEFAULT 2;
        ALTER TABLE notifications ADD COLUMN account TEXT;
        ALTER TABLE notifications ADD COLUMN originalID TEXT;
        ALTER TABLE notifications ADD COLUMN sendAttempts TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE notifications ADD COLUMN body TEXT;
        ALTER TABLE notifications ADD COLUMN copies INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE notifications ADD COLUMN isHeld INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX notifications_held ON notifications (bundleID) WHERE isHeld = 1;
        CREATE INDEX notifications_account ON notifications (account);
        CREATE INDEX notifications_date ON notifications (bundleID, environment, signedDate);
        CREATE TABLE events (
            id INTEGER PRIMARY KEY AUTOINCREMENT, date INTEGER NOT NULL, kind TEXT NOT NULL, bundleID TEXT, account TEXT,
            transactionID TEXT, originalID TEXT, productID TEXT, detail TEXT, notificationUUID TEXT
        ) STRICT;
        CREATE INDEX events_account ON events (account, id);
        CREATE TABLE contents (
            bundleID TEXT NOT NULL, productID TEXT NOT NULL, sha256 TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (bundleID, productID)
        ) STRICT;
        CREATE TABLE faults (id INTEGER PRIMARY KEY AUTOINCREMENT, fault TEXT NOT NULL) STRICT;
        """
}
