import GRDB
import PurchaseModel
import PurchaseProof
import PurchaseStorage

/// An in-memory database that records one purchase at a time, with the statements of the server's database.
final class RebuildScratch: Sendable {
    private let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
        try SQLiteSchema.migrate(queue, of: nil)
    }

    /// Records the events of a purchase, calls `body` with the records, and removes the records.
    func recording<Value>(
        _ events: [(event: VerifiedEvent, receivedAt: Timestamp)], of app: BundleID, _ body: (SQLTransaction) throws -> Value
    ) throws -> Value {
        try queue.inDatabase { db in
            try db.beginTransaction()
            defer { try? db.rollback() }
            let records = SQLTransaction(app: app, connection: SQLiteTransactionConnection(db: db))
            for (event, receivedAt) in events { _ = try records.insert(event, receivedAt: receivedAt) }
            return try body(records)
        }
    }
}
