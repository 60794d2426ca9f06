import Foundation
import GRDB

/// The tables of the database, as a list of migrations; the tables of a published migration never change.
enum SQLiteSchema {
    /// `PRAGMA application_id` of this server's databases: "Till" in ASCII.
    private static let applicationID = 0x5469_6C6C

    /// Refuses an existing file that is not a database of this server, or that a newer version created, without changing the file.
    ///
    /// - Throws: ``ConfigurationError`` if the file is refused, or an error of SQLite if it can't be read.
    static func check(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        do {
            try DatabaseQueue(path: path, configuration: configuration).read { db in
                let id = try Int.fetchOne(db, sql: "PRAGMA application_id")
                let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0
                guard id == applicationID || id == 0 && isEmpty else { throw ConfigurationError.foreignDatabase(path: path) }
                guard try !migrator.hasBeenSuperseded(db) else { throw ConfigurationError.newerDatabase(path: path) }
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            throw ConfigurationError.foreignDatabase(path: path)
        }
    }

    /// Sets the application ID of a database, and creates or migrates its tables.
    static func migrate(_ writer: any DatabaseWriter) throws {
        // The ID is set before the tables are created: otherwise a killed process could leave tables without it, which are refused later.
        try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA application_id = \(applicationID)") }
        try migrator.migrate(writer)
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 purchases, facts, credits, notifications") { db in
            try db.execute(
                sql: """
                    -- Every transaction that the server received. `receipt` is the first receipt that contained it.
                    CREATE TABLE purchase (
                        transaction_id TEXT NOT NULL PRIMARY KEY,
                        original_transaction_id TEXT NOT NULL,
                        product_id TEXT NOT NULL,
                        customer TEXT,
                        quantity INTEGER NOT NULL,
                        purchased_at INTEGER NOT NULL,
                        receipt BLOB
                    ) STRICT;
                    CREATE INDEX purchase_by_date ON purchase (purchased_at, transaction_id);

                    -- Signed events: transactions and renewal info. The tables below can be rebuilt from them.
                    CREATE TABLE fact (
                        digest BLOB NOT NULL PRIMARY KEY,
                        original_transaction_id TEXT NOT NULL,
                        transaction_id TEXT NOT NULL,
                        -- The charge of the transaction; NULL if there is none, as with a Family Sharing entitlement.
                        charge TEXT,
                        source TEXT NOT NULL,
                        signed_transaction TEXT NOT NULL,
                        signed_renewal TEXT,
                        statement TEXT NOT NULL
                    ) STRICT;
                    CREATE INDEX fact_by_purchase ON fact (original_transaction_id);
                    CREATE INDEX fact_by_transaction ON fact (transaction_id, source);
                    CREATE INDEX fact_by_charge ON fact (charge);

                    -- The entitlement of each purchase, projected from its signed events.
                    CREATE TABLE entitlement (
                        original_transaction_id TEXT NOT NULL PRIMARY KEY,
                        product_id TEXT NOT NULL,
                        customer TEXT,
                        statement TEXT NOT NULL
                    ) STRICT;
                    CREATE INDEX entitlement_by_customer ON entitlement (customer, product_id);

                    -- The credits that each charge added, its first recorded transaction, and the credits that refunds revoked.
                    CREATE TABLE credit_grant (
                        charge TEXT NOT NULL PRIMARY KEY,
                        transaction_id TEXT NOT NULL,
                        customer TEXT NOT NULL,
                        credits INTEGER NOT NULL CHECK (credits >= 0),
                        reclaimed INTEGER NOT NULL DEFAULT 0 CHECK (reclaimed BETWEEN 0 AND credits)
                    ) STRICT;
                    CREATE TABLE spending (
                        customer TEXT NOT NULL,
                        spending TEXT NOT NULL,
                        amount INTEGER NOT NULL CHECK (amount > 0),
                        balance INTEGER NOT NULL CHECK (balance >= 0),
                        PRIMARY KEY (customer, spending)
                    ) STRICT;
                    -- Granted credits, less revoked and spent credits. A refund of spent credits makes the balance negative.
                    CREATE TABLE balance (
                        customer TEXT NOT NULL PRIMARY KEY,
                        credits INTEGER NOT NULL
                    ) STRICT;

                    CREATE TABLE notification (
                        uuid TEXT NOT NULL PRIMARY KEY,
                        signed_at INTEGER NOT NULL,
                        kind TEXT NOT NULL,
                        outcome TEXT NOT NULL,
                        signed_notification TEXT NOT NULL
                    ) STRICT;
                    CREATE INDEX notification_by_date ON notification (signed_at, uuid);

                    CREATE TABLE secret (
                        name TEXT NOT NULL PRIMARY KEY,
                        value BLOB NOT NULL
                    ) STRICT;
                    """
            )
        }
        return migrator
    }
}
