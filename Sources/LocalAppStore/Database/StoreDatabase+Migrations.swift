import GRDB

extension StoreDatabase {
    /// The migrations that create and update the store's database schema, in order; a released migration never changes.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 store") { db in
            let tables = [
                storeTables, accountTables, paymentTables, transactionTables, subscriptionTables, notificationTables, eventTables,
            ]
            for sql in tables { try db.execute(sql: sql) }
            try db.execute(
                sql: """
                    INSERT INTO counters (name, value)
                    VALUES ('transaction', ?), ('orderLine', ?), ('appTransaction', ?), ('order', 0), ('change', 0)
                    """,
                arguments: [numberBeforeFirstTransaction, numberBeforeFirstOrderLine, numberBeforeFirstAppTransaction]
            )
        }
        migrator.registerMigration("2 indexes") { db in
            try db.execute(
                sql: """
                    DROP INDEX transactions_unfinished;
                    CREATE INDEX transactions_unfinished ON transactions (account, bundleID) WHERE finishedAt IS NULL;
                    CREATE INDEX transactions_receipt ON transactions (account, bundleID)
                    WHERE kind <> 'restore' AND (type <> 'Consumable' OR finishedAt IS NULL);
                    """)
        }
        migrator.registerMigration("3 activity") { db in
            try db.execute(
                sql: """
                    ALTER TABLE accounts ADD COLUMN lastActivity INTEGER NOT NULL DEFAULT 0;
                    UPDATE accounts SET lastActivity = coalesce(
                        (SELECT date FROM events WHERE account = accounts.id AND kind NOT IN ('notification', 'delivery')
                        ORDER BY events.id DESC LIMIT 1), 0);
                    CREATE INDEX accounts_activity ON accounts (lastActivity);
                    CREATE INDEX charges_account ON charges (account, currency, amount);
                    CREATE INDEX transactions_orderLine ON transactions (webOrderLineItemID) WHERE webOrderLineItemID IS NOT NULL;
                    """)
        }
        migrator.registerMigration("4 duration of deliveries") { db in
            try db.execute(sql: "ALTER TABLE events ADD COLUMN milliseconds INTEGER")
        }
        migrator.registerMigration("5 unfinished consumables") { db in
            try db.execute(sql: "ALTER TABLE apps ADD COLUMN restoresUnfinishedConsumables INTEGER NOT NULL DEFAULT 1")
        }
        migrator.registerMigration("6 versions of imported transactions") { db in
            try db.execute(
                sql: """
                    CREATE TABLE importedVersions (
                        transactionID TEXT PRIMARY KEY NOT NULL REFERENCES transactions (id), signedDate INTEGER NOT NULL,
                        change INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("7 commitments") { db in
            try db.execute(
                sql: """
                    ALTER TABLE payments ADD COLUMN billingPlan TEXT;
                    ALTER TABLE transactions ADD COLUMN billingPlan TEXT;
                    ALTER TABLE transactions ADD COLUMN commitment TEXT;
                    """)
        }
        migrator.registerMigration("8 seats") { db in
            try db.execute(
                sql: """
                    ALTER TABLE payments ADD COLUMN seats INTEGER;
                    ALTER TABLE transactions ADD COLUMN multiSeatInfo TEXT;
                    ALTER TABLE transactions ADD COLUMN additionalTransactionReason TEXT;
                    ALTER TABLE transactions ADD COLUMN additionTo TEXT REFERENCES transactions (id);
                    CREATE INDEX transactions_additions ON transactions (additionTo) WHERE additionTo IS NOT NULL;
                    CREATE TABLE seatClaims (
                        id TEXT PRIMARY KEY NOT NULL, originalID TEXT NOT NULL REFERENCES subscriptions (id),
                        requestIdentifier TEXT NOT NULL, appTransactionID TEXT, claimedAt INTEGER NOT NULL, releasedAt INTEGER,
                        UNIQUE (originalID, requestIdentifier)
                    ) STRICT;
                    CREATE INDEX seatClaims_open ON seatClaims (originalID) WHERE releasedAt IS NULL;
                    """)
        }
        migrator.registerMigration("9 bundles") { db in
            try db.execute(
                sql: """
                    ALTER TABLE transactions ADD COLUMN bundle TEXT;
                    CREATE INDEX transactions_bundles ON transactions (bundleID, account, purchaseDate) WHERE bundle IS NOT NULL;
                    """)
        }
        return migrator
    }

    private static let storeTables = """
        CREATE TABLE settings (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT;
        CREATE TABLE counters (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) STRICT;
        CREATE TABLE apps (
            bundleID TEXT PRIMARY KEY NOT NULL, appAppleID INTEGER NOT NULL UNIQUE, version TEXT NOT NULL, storekit BLOB,
            sharedSecret TEXT, sandboxURL TEXT, productionURL TEXT, notificationVersion INTEGER NOT NULL,
            receiptOrder TEXT NOT NULL
        ) STRICT;
        CREATE TABLE contents (
            bundleID TEXT NOT NULL, productID TEXT NOT NULL, sha256 TEXT NOT NULL, data BLOB NOT NULL, version TEXT NOT NULL,
            PRIMARY KEY (bundleID, productID)
        ) STRICT;
        CREATE TABLE faults (id INTEGER PRIMARY KEY AUTOINCREMENT, fault TEXT NOT NULL) STRICT;
        """

    private static let accountTables = """
        CREATE TABLE accounts (
            id TEXT PRIMARY KEY NOT NULL, password TEXT NOT NULL, askToBuyEnabled INTEGER NOT NULL,
            hasValidPaymentMethod INTEGER NOT NULL, environment TEXT NOT NULL, storefront TEXT, family TEXT,
            sharesPurchases INTEGER NOT NULL, interruptedPurchasesEnabled INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE sessions (
            tokenHash BLOB PRIMARY KEY NOT NULL, account TEXT NOT NULL REFERENCES accounts (id), device TEXT NOT NULL,
            appVersion TEXT NOT NULL, bundleID TEXT NOT NULL, lastTransactionRow INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX sessions_account ON sessions (account);
        CREATE TABLE restrictedDevices (id TEXT PRIMARY KEY NOT NULL) STRICT;
        CREATE TABLE downloads (
            id TEXT PRIMARY KEY NOT NULL, account TEXT NOT NULL REFERENCES accounts (id), bundleID TEXT NOT NULL,
            originalAppVersion TEXT NOT NULL, originalPurchaseDate INTEGER NOT NULL, UNIQUE (account, bundleID)
        ) STRICT;
        CREATE TABLE promotions (
            id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL REFERENCES accounts (id), bundleID TEXT NOT NULL,
            productID TEXT NOT NULL, offerID TEXT
        ) STRICT;
        """

    private static let paymentTables = """
        CREATE TABLE payments (
            id TEXT PRIMARY KEY NOT NULL, account TEXT NOT NULL REFERENCES accounts (id), device TEXT NOT NULL,
            appVersion TEXT NOT NULL, productID TEXT NOT NULL, quantity INTEGER NOT NULL, appAccountToken TEXT, state TEXT NOT NULL,
            bundleID TEXT NOT NULL, offerType INTEGER, offerID TEXT, allowsIntroductoryOffer INTEGER, applicationUsername TEXT,
            result TEXT
        ) STRICT;
        CREATE INDEX payments_state ON payments (state, account, device);
        CREATE TABLE offerNonces (nonce TEXT PRIMARY KEY NOT NULL) STRICT;
        """

    private static let transactionTables = """
        CREATE TABLE transactions (
            id TEXT PRIMARY KEY NOT NULL, originalID TEXT NOT NULL REFERENCES transactions (id), kind TEXT NOT NULL,
            account TEXT NOT NULL REFERENCES accounts (id), device TEXT NOT NULL, appVersion TEXT NOT NULL,
            productID TEXT NOT NULL, type TEXT NOT NULL, groupID TEXT, quantity INTEGER NOT NULL, price INTEGER NOT NULL,
            currency TEXT NOT NULL, reason TEXT NOT NULL, purchaseDate INTEGER NOT NULL, originalPurchaseDate INTEGER NOT NULL,
            expiresDate INTEGER, webOrderLineItemID TEXT, appAccountToken TEXT, applicationUsername TEXT,
            payment TEXT UNIQUE REFERENCES payments (id), restores TEXT REFERENCES transactions (id), restoreRequest TEXT,
            finishedAt INTEGER, revokedAt INTEGER, bundleID TEXT NOT NULL, environment TEXT NOT NULL, storefront TEXT NOT NULL,
            appTransactionID TEXT NOT NULL, orderID TEXT NOT NULL, purchaserTransactionID TEXT REFERENCES transactions (id),
            offerType INTEGER, offerID TEXT, offerMode TEXT, offerPeriod TEXT, upgradedAt INTEGER, period INTEGER,
            revocationReason INTEGER, revocationType TEXT, revocationPercentage INTEGER, change INTEGER NOT NULL,
            revision INTEGER NOT NULL, UNIQUE (account, restoreRequest, restores)
        ) STRICT;
        CREATE INDEX transactions_account ON transactions (account, productID);
        CREATE INDEX transactions_original ON transactions (originalID);
        CREATE INDEX transactions_order ON transactions (orderID);
        CREATE UNIQUE INDEX transactions_period ON transactions (originalID, period) WHERE period IS NOT NULL AND kind <> 'restore';
        CREATE INDEX transactions_change ON transactions (account, bundleID, change);
        CREATE INDEX transactions_revision ON transactions (account, bundleID, revision) WHERE kind <> 'restore';
        CREATE INDEX transactions_revoked ON transactions (account, bundleID, revokedAt, change) WHERE revokedAt IS NOT NULL;
        CREATE INDEX transactions_shared ON transactions (purchaserTransactionID) WHERE purchaserTransactionID IS NOT NULL;
        CREATE INDEX transactions_unfinished ON transactions (account, device, bundleID) WHERE finishedAt IS NULL;
        CREATE INDEX transactions_restores ON transactions (restores) WHERE restores IS NOT NULL;
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
        CREATE TABLE refundRequests (
            id INTEGER PRIMARY KEY AUTOINCREMENT, transactionID TEXT NOT NULL REFERENCES transactions (id), reason TEXT NOT NULL,
            date INTEGER NOT NULL, due INTEGER, state TEXT NOT NULL, consumption TEXT
        ) STRICT;
        CREATE INDEX refundRequests_transaction ON refundRequests (transactionID);
        """

    private static let subscriptionTables = """
        CREATE TABLE subscriptions (
            id TEXT PRIMARY KEY NOT NULL REFERENCES transactions (id), account TEXT NOT NULL REFERENCES accounts (id),
            bundleID TEXT NOT NULL, groupID TEXT NOT NULL, subscription TEXT NOT NULL, nextRenewalDate INTEGER,
            purchaserTransactionID TEXT REFERENCES transactions (id)
        ) STRICT;
        CREATE INDEX subscriptions_due ON subscriptions (nextRenewalDate) WHERE nextRenewalDate IS NOT NULL;
        CREATE INDEX subscriptions_account ON subscriptions (account, bundleID, groupID);
        CREATE UNIQUE INDEX subscriptions_purchased ON subscriptions (account, bundleID, groupID) WHERE purchaserTransactionID IS NULL;
        CREATE INDEX subscriptions_shared ON subscriptions (purchaserTransactionID) WHERE purchaserTransactionID IS NOT NULL;
        CREATE TABLE massExtensions (
            bundleID TEXT NOT NULL, environment TEXT NOT NULL, requestIdentifier TEXT NOT NULL, productID TEXT NOT NULL,
            storefronts TEXT, days INTEGER NOT NULL, lastProcessedRow INTEGER NOT NULL, completeDate INTEGER,
            succeeded INTEGER NOT NULL, failed INTEGER NOT NULL, PRIMARY KEY (bundleID, environment, requestIdentifier)
        ) STRICT;
        CREATE INDEX massExtensions_open ON massExtensions (requestIdentifier) WHERE completeDate IS NULL;
        """

    private static let notificationTables = """
        CREATE TABLE notifications (
            uuid TEXT PRIMARY KEY NOT NULL, type TEXT NOT NULL, subtype TEXT, signedDate INTEGER NOT NULL,
            signedPayload TEXT NOT NULL, bundleID TEXT NOT NULL, environment TEXT NOT NULL, account TEXT, originalID TEXT,
            version INTEGER NOT NULL, body TEXT, copies INTEGER NOT NULL, isHeld INTEGER NOT NULL, attempts INTEGER NOT NULL,
            sendAttempts TEXT NOT NULL, isDelivered INTEGER NOT NULL, nextAttempt INTEGER
        ) STRICT;
        CREATE INDEX notifications_due ON notifications (nextAttempt) WHERE nextAttempt IS NOT NULL;
        CREATE INDEX notifications_held ON notifications (bundleID) WHERE isHeld = 1;
        CREATE INDEX notifications_account ON notifications (account);
        CREATE INDEX notifications_date ON notifications (bundleID, environment, signedDate);
        """

    private static let eventTables = """
        CREATE TABLE events (
            id INTEGER PRIMARY KEY AUTOINCREMENT, date INTEGER NOT NULL, kind TEXT NOT NULL, bundleID TEXT, account TEXT,
            transactionID TEXT, originalID TEXT, productID TEXT, detail TEXT, notificationUUID TEXT
        ) STRICT;
        CREATE INDEX events_account ON events (account, id);
        """
}
