import Foundation
package import GRDB
import PurchaseModel

/// The tables of the database, as a list of migrations; the tables of a published migration never change.
///
/// The primary key of every table begins with the app and a column by which a database of several nodes can distribute the table: the
/// customer for rows of a customer, the original transaction identifier for rows of a purchase, the UUID for notifications, and the
/// partition number for queues (see ``QueuePartition``). Other distribution columns are the keys of single reads: the aliases of customers,
/// the digests of tokens, API keys and imported files, the names of secrets, and the products of the catalog and of content. The progress
/// of reconciliation, the refused notifications and the comparisons of `verifyReceipt` have few rows for each app.
package enum SQLiteSchema {
    /// `PRAGMA application_id` of this server's databases: "Till" in ASCII.
    private static let applicationID = 0x5469_6C6C

    /// Refuses an existing file of another program or of a newer version, or with changed tables or indexes, without changing the file.
    ///
    /// - Throws: ``SchemaError`` if the file is refused, or an error of SQLite if it can't be read.
    package static func check(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        do {
            try DatabaseQueue(path: path, configuration: configuration).read { db in
                let id = try Int.fetchOne(db, sql: "PRAGMA application_id")
                let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0
                guard id == applicationID || id == 0 && isEmpty else { throw SchemaError.foreignDatabase(path: path) }
                guard try !migrator.hasBeenSuperseded(db) else { throw SchemaError.newerDatabase(path: path) }
                try refuseForeignObjects(db, of: path)
                // Compare the tables before the migration, because the earlier server version would refuse a migrated file.
                try compareDefinitions(db, of: path)
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            throw SchemaError.foreignDatabase(path: path)
        }
    }

    /// Sets the application ID of a database, creates or migrates its tables, and compares them with the tables of this version.
    ///
    /// - Parameter path: The file of the database, or its source, for the error; nil for a database in memory.
    /// - Throws: ``SchemaError/changed(path:objects:)`` if tables or indexes differ, or an error of SQLite.
    package static func migrate(_ writer: any DatabaseWriter, of path: String?) throws {
        // Set the ID before the tables exist, because a killed process could otherwise leave tables without the ID, which the next start
        // refuses.
        try writer.writeWithoutTransaction { db in
            guard try Int.fetchOne(db, sql: "PRAGMA application_id") != applicationID else { return }
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
        }
        guard let path else { return try migrator.migrate(writer) }
        guard try writer.read({ try !migrator.hasCompletedMigrations($0) }) else { return }
        try migrator.migrate(writer)
        try writer.read { try compareDefinitions($0, of: path) }
    }

    /// The migrations of the tables, in their order.
    package static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 apps, purchases, ledger, notifications") { db in
            let tables = [
                "CREATE TABLE probe (number INTEGER NOT NULL) STRICT; INSERT INTO probe VALUES (0);",
                purchaseTables, ledgerTables, notificationTables,
                secretTables, apiKeyTables, customerTables,
                entitlementGrantTables, catalogTables, reconciliationTables,
                refusedNotificationTables, appStoreRequestTables,
            ]
            for sql in tables { try db.execute(sql: sql) }
        }
        migrator.registerMigration("2 consents") { try $0.execute(sql: consentTables) }
        migrator.registerMigration("3 partitions of queues, index of events") { db in try partitionQueues(db) }
        migrator.registerMigration("4 content") { db in try db.execute(sql: contentTables) }
        migrator.registerMigration("5 purchases of a customer by product") { db in
            try db.execute(
                sql: """
                    CREATE TABLE product_purchase (
                        app TEXT NOT NULL,
                        customer TEXT NOT NULL,
                        product_id TEXT NOT NULL,
                        original_transaction_id TEXT NOT NULL,
                        attribution TEXT NOT NULL,
                        owner TEXT,
                        entitlement TEXT NOT NULL,
                        PRIMARY KEY (app, customer, product_id, original_transaction_id)
                    ) STRICT, WITHOUT ROWID;
                    INSERT INTO product_purchase
                        SELECT app, customer, json_extract(entitlement, '$.productID'), original_transaction_id, attribution, owner,
                            entitlement FROM customer_purchase;
                    DROP TABLE customer_purchase;
                    ALTER TABLE product_purchase RENAME TO customer_purchase;
                    """)
        }
        migrator.registerMigration("6 headers of JWS") { try $0.execute(sql: headerTables) }
        migrator.registerMigration("7 comparisons of verifyReceipt") { try $0.execute(sql: verifyReceiptTables) }
        migrator.registerMigration("8 progress of imports") { try $0.execute(sql: importTables) }
        migrator.registerMigration("9 recorded decisions, progress of a rebuild", migrate: recordDecisions)
        migrator.registerMigration("10 queues by partition and date") { db in
            try db.execute(
                sql: """
                    DROP INDEX purchase_lookup_by_date;
                    CREATE INDEX purchase_lookup_by_date ON purchase_lookup (app, partition, due_at, original_transaction_id);
                    DROP INDEX outgoing_request_by_date;
                    CREATE INDEX outgoing_request_by_date ON outgoing_request (app, partition, due_at, original_transaction_id, kind, key);
                    """)
        }
        migrator.registerMigration("11 products of files") { try $0.execute(sql: fileProductTables) }
        migrator.registerMigration("12 merges of customers") { try $0.execute(sql: customerMergeTables) }
        migrator.registerMigration("13 unknown notifications") { try $0.execute(sql: unknownNotificationTables) }
        migrator.registerMigration("14 teams") { try $0.execute(sql: teamTables) }
        migrator.registerMigration("15 feed of events") { try $0.execute(sql: feedTables) }
        migrator.registerMigration("16 webhooks") { try $0.execute(sql: webhookTables) }
        return migrator
    }

    /// Creates the tables of queues again, with a partition in their primary keys and with the same rows.
    private static func partitionQueues(_ db: Database) throws {
        let lookups = try Row.fetchAll(db, sql: "SELECT app, original_transaction_id, due_at FROM purchase_lookup")
        let requests = try Row.fetchAll(
            db,
            sql: """
                SELECT app, original_transaction_id, kind, key, transaction_id, expires_at, due_at, attempts FROM outgoing_request
                """)
        try db.execute(
            sql: """
                DROP TABLE purchase_lookup;
                CREATE TABLE purchase_lookup (
                    app TEXT NOT NULL,
                    partition INTEGER NOT NULL,
                    original_transaction_id TEXT NOT NULL,
                    due_at INTEGER NOT NULL,
                    -- when the App Store last stated the state of the purchase
                    asked_at INTEGER,
                    PRIMARY KEY (app, partition, original_transaction_id)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX purchase_lookup_by_date ON purchase_lookup (app, due_at, original_transaction_id);

                DROP TABLE outgoing_request;
                CREATE TABLE outgoing_request (
                    app TEXT NOT NULL,
                    partition INTEGER NOT NULL,
                    original_transaction_id TEXT NOT NULL,
                    kind TEXT NOT NULL,
                    key TEXT NOT NULL,
                    transaction_id TEXT NOT NULL,
                    expires_at INTEGER NOT NULL,
                    due_at INTEGER NOT NULL,
                    attempts INTEGER NOT NULL,
                    PRIMARY KEY (app, partition, original_transaction_id, kind, key)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX outgoing_request_by_date ON outgoing_request (app, due_at, original_transaction_id, kind, key);

                DROP TABLE probe;
                CREATE TABLE probe (
                    app TEXT NOT NULL,
                    partition INTEGER NOT NULL,
                    number INTEGER NOT NULL,
                    PRIMARY KEY (app, partition)
                ) STRICT, WITHOUT ROWID;
                INSERT INTO probe VALUES ('', 0, 0);

                CREATE INDEX signed_event_by_date ON signed_event (app, original_transaction_id, signed_date, received_at, digest);
                """)
        func insert(_ rows: [Row], into table: String) throws {
            for row in rows {
                let partition = QueuePartition.number(of: TransactionID(row["original_transaction_id"] as String))
                let columns = ["partition"] + row.columnNames
                let places = columns.map { _ in "?" }.joined(separator: ", ")
                try db.execute(
                    sql: "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(places))",
                    arguments: StatementArguments([partition.databaseValue] + row.databaseValues))
            }
        }
        try insert(lookups, into: "purchase_lookup")
        try insert(requests, into: "outgoing_request")
    }
}
