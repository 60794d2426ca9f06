import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// The number of events that the store keeps; older events are deleted.
    static let retainedEventCount: Int64 = 200_000

    /// Records an event, in the database transaction that caused the event.
    func insertEvent(
        _ kind: StoreEvent.Kind, about row: TransactionRecord, at date: Timestamp, detail: String? = nil, _ db: Database
    ) throws {
        try insertEvent(
            EventRecord(
                date: date, kind: kind, bundleID: row.bundleID, account: row.account, transactionID: row.id, originalID: row.originalID,
                productID: row.productID, detail: detail
            ), db)
    }

    /// Records an event, in the database transaction that caused the event.
    func insertEvent(_ event: EventRecord, _ db: Database) throws {
        var event = event
        event.id = nil
        try event.insert(db)
        let id = db.lastInsertedRowID
        if id % 1_000 == 0 {
            try db.execute(sql: "DELETE FROM events WHERE id <= ?", arguments: [id - Self.retainedEventCount])
        }
        event.id = id
        let inserted = event.event
        db.afterNextTransaction { _ in eventBroadcast.publish(inserted) }
    }

    /// The events after an event, oldest first.
    func events(after id: Int64, account: AccountID? = nil, in bundleID: BundleID? = nil, limit: Int) async throws -> [StoreEvent] {
        try await read { db in
            var sql = "SELECT * FROM events WHERE id > ?"
            var arguments: StatementArguments = [id]
            if let account {
                sql += " AND account = ?"
                arguments += [account.rawValue]
            }
            if let bundleID {
                sql += " AND bundleID = ?"
                arguments += [bundleID.rawValue]
            }
            return try EventRecord.fetchAll(db, sql: sql + " ORDER BY id LIMIT ?", arguments: arguments + [limit]).map(\.event)
        }
    }

    /// The last events before an event, oldest first.
    func events(before id: Int64, account: AccountID? = nil, limit: Int) async throws -> [StoreEvent] {
        try await read { db in
            let sql = "SELECT * FROM events WHERE id < ? AND (? IS NULL OR account = ?) ORDER BY id DESC LIMIT ?"
            let newestFirst = try EventRecord.fetchAll(db, sql: sql, arguments: [id, account?.rawValue, account?.rawValue, limit])
            return newestFirst.reversed().map(\.event)
        }
    }
}
