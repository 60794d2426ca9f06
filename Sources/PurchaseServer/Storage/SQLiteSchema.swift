import Foundation
import GRDB

/// The tables, as a list of migrations; a published migration never changes.
enum SQLiteSchema {
    /// `PRAGMA application_id` of this server's databases: "Till" in ASCII.
    private static let applicationID = 0x5469_6C6C

    /// Refuses an existing file that is not a database of this server, or that a newer version created, without changing the file.
    ///
    /// - Throws: ``ConfigurationError``, or the error of SQLite.
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

    /// Marks a database as this server's and migrates it.
    static func migrate(_ writer: any DatabaseWriter) throws {
        // The mark precedes all tables: a process that is killed in between leaves no tables in an unmarked database.
        try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA application_id = \(applicationID)") }
        try migrator.migrate(writer)
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 purchases, facts, credits, notifications") { db in
            try db.execute(
                sql: """
                    -- Every transaction the server has heard of. `receipt` is the file that showed it first.
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

                    -- What the store stated, with the signed originals; everything below can be made again from it.
                    CREATE TABLE fact (
                        digest BLOB NOT NULL PRIMARY KEY,
                        original_transaction_id TEXT NOT NULL,
                        transaction_id TEXT NOT NULL,
                        -- The charge that it is about; none for what nobody was charged for, such as a Family Sharing copy.
                        charge TEXT,
                        source TEXT NOT NULL,
                        signed_transaction TEXT NOT NULL,
                        signed_renewal TEXT,
                        statement TEXT NOT NULL
                    ) STRICT;
                    CREATE INDEX fact_by_purchase ON fact (original_transaction_id);
                    CREATE INDEX fact_by_transaction ON fact (transaction_id, source);
                    CREATE INDEX fact_by_charge ON fact (charge);

                    -- What the facts of a purchase add up to.
                    CREATE TABLE entitlement (
                        original_transaction_id TEXT NOT NULL PRIMARY KEY,
                        product_id TEXT NOT NULL,
                        customer TEXT,
                        statement TEXT NOT NULL
                    ) STRICT;
                    CREATE INDEX entitlement_by_customer ON entitlement (customer, product_id);

                    -- What each charge added, by the transaction that showed it first, and how much of it refunds have reclaimed.
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
                    -- At all times: granted, less reclaimed, less spent. A refund of what was spent leaves it below zero.
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
