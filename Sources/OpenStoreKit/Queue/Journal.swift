import Foundation
import GRDB
import PurchaseModel

/// The device's journal: every payment, written before it is sent and kept until the store knows that it is finished.
struct Journal: Sendable {
    private let database: DatabaseQueue

    /// Opens the journal in a file, making it when it is not there.
    ///
    /// Cost: each write is one SQLite transaction that is on the disk when the call returns (`synchronous=FULL`).
    init(path: String) throws {
        var configuration = Configuration()
        // The launch before this one may be ending still, with the journal open.
        configuration.busyMode = .timeout(10)
        database = try DatabaseQueue(path: path, configuration: configuration)
        try database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA synchronous = FULL")
        }
        var migrator = DatabaseMigrator()
        migrator.registerMigration("payments") { database in
            try database.create(table: "payment") { table in
                table.primaryKey("id", .text)
                table.column("transactionID", .text).unique()
                table.column("record", .blob).notNull()
            }
        }
        try migrator.migrate(database)
    }

    /// Everything in the journal, in the order in which it was added.
    func records() throws -> [PaymentRecord] {
        let blobs = try database.read { try Data.fetchAll($0, sql: "SELECT record FROM payment") }
        return try blobs.map { try JSONDecoder().decode(PaymentRecord.self, from: $0) }.sorted { $0.sequence < $1.sequence }
    }

    /// Writes records, all or none.
    func persist(_ records: [PaymentRecord]) throws {
        try database.write { database in
            for record in records {
                try database.execute(
                    sql: """
                        INSERT INTO payment (id, transactionID, record) VALUES (?, ?, ?)
                        ON CONFLICT (id) DO UPDATE SET transactionID = excluded.transactionID, record = excluded.record
                        """,
                    arguments: [record.id.rawValue, record.transactionID?.rawValue, try JSONEncoder().encode(record)]
                )
            }
        }
    }

    /// Removes a record.
    func forget(_ id: PaymentID) throws {
        try database.write { try $0.execute(sql: "DELETE FROM payment WHERE id = ?", arguments: [id.rawValue]) }
    }
}
