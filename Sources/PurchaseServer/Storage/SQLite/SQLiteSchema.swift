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
        migrator.registerMigration("1 apps, purchases, ledger, notifications") { db in
            let tables = [
                "CREATE TABLE probe (number INTEGER NOT NULL) STRICT; INSERT INTO probe VALUES (0);",
                SQLiteTransaction.purchaseTables, SQLiteTransaction.ledgerTables, SQLiteTransaction.notificationTables,
                SQLiteTransaction.secretTables, SQLiteTransaction.apiKeyTables, SQLiteTransaction.customerTables,
                SQLiteTransaction.entitlementGrantTables, SQLiteTransaction.catalogTables, SQLiteTransaction.reconciliationTables,
                SQLiteTransaction.refusedNotificationTables, SQLiteTransaction.outgoingRequestTables,
            ]
            for sql in tables { try db.execute(sql: sql) }
        }
        migrator.registerMigration("2 consents") { try $0.execute(sql: SQLiteTransaction.consentTables) }
        return migrator
    }
}
