import GRDB
import PurchaseModel
import StoreProtocol

/// The service that records and lists the events of the event stream.
struct EventService: Sendable {
    let context: StoreContext

    /// The number of newest events that the store keeps; older events are deleted.
    static let retainedEventCount: Int64 = 200_000

    /// Adds an event about a transaction to the event stream, as part of the running database transaction.
    func insertEvent(
        _ kind: StoreEvent.Kind, about row: TransactionRecord, at date: Timestamp, detail: String? = nil, _ db: Database
    ) throws {
        try insertEvent(
            EventRecord(
                date: date, kind: kind, bundleID: row.bundleID, account: row.account, transactionID: row.id, originalID: row.originalID,
                productID: row.productID, detail: detail
            ), db)
    }

    /// Adds an event to the event stream, as part of the running database transaction; streams receive the event after the commit.
    func insertEvent(_ event: EventRecord, _ db: Database) throws {
        var event = event
        event.id = nil
        try event.insert(db)
        let id = db.lastInsertedRowID
        if id % 1_000 == 0 {
            try db.execute(sql: "DELETE FROM events WHERE id <= ?", arguments: [id - Self.retainedEventCount])
        }
        // The attempts to deliver a notification are no activity of the customer.
        if let account = event.account, event.kind != .notification, event.kind != .delivery {
            let sql = "UPDATE accounts SET lastActivity = ? WHERE id = ? AND lastActivity < ?"
            let date = event.date.milliseconds
            try db.cachedStatement(sql: sql).execute(arguments: [date, account.rawValue, date])
        }
        event.id = id
        let inserted = event.event
        context.eventBroadcast.insert(inserted)
    }

    /// Returns the events after the event with an identifier, oldest first.
    func events(after id: Int64, account: AccountID? = nil, in bundleID: BundleID? = nil, limit: Int) async throws -> [StoreEvent] {
        try await context.read { db in
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

    /// Returns the `limit` events that precede the event with an identifier, oldest first.
    func events(before id: Int64, account: AccountID? = nil, limit: Int) async throws -> [StoreEvent] {
        try await context.read { db in
            let sql = "SELECT * FROM events WHERE id < ? AND (? IS NULL OR account = ?) ORDER BY id DESC LIMIT ?"
            let newestFirst = try EventRecord.fetchAll(db, sql: sql, arguments: [id, account?.rawValue, account?.rawValue, limit])
            return newestFirst.reversed().map(\.event)
        }
    }
}
