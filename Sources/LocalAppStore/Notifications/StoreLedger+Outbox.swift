import GRDB
import PurchaseModel

/// The position of a notification in the outbox, the ordered list of notifications to be sent.
///
/// Notifications that a fault holds back follow all others, and the newest of them is the first.
struct OutboxPosition: Hashable, Sendable {
    static let beginning = OutboxPosition(isHeld: false, number: 0)

    var isHeld: Bool
    /// The number by which notifications with the same ``isHeld`` are sorted.
    var number: Int64
}

extension StoreLedger {
    /// Returns the notifications that are due and whose app has a notification URL, after a position in the outbox.
    func outbox(after position: OutboxPosition, at now: Timestamp, limit: Int) async throws -> [(
        row: NotificationRecord, position: OutboxPosition
    )] {
        try await read { db in
            let number = "CASE n.isHeld WHEN 1 THEN -n.rowid ELSE n.rowid END"
            let sql = """
                SELECT n.*, \(number) AS outboxNumber FROM notifications n JOIN apps a ON a.bundleID = n.bundleID
                WHERE n.nextAttempt <= ? AND (n.isHeld, \(number)) > (?, ?)
                    AND CASE n.environment WHEN 'Production' THEN a.productionURL ELSE a.sandboxURL END IS NOT NULL
                ORDER BY n.isHeld, outboxNumber LIMIT ?
                """
            return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [now.milliseconds, position.isHeld, position.number, limit])
                .map {
                    row in
                    (try NotificationRecord(row: row), OutboxPosition(isHeld: row["isHeld"], number: row["outboxNumber"]))
                }
        }
    }

    /// Makes the notifications of an app that a fault holds back due now, because a later notification precedes them.
    func releaseHeld(in bundleID: BundleID, at now: Timestamp, _ db: Database) throws {
        let sql = "UPDATE notifications SET nextAttempt = ? WHERE isHeld = 1 AND bundleID = ? AND nextAttempt > ?"
        try db.cachedStatement(sql: sql).execute(arguments: [now.milliseconds, bundleID.rawValue, now.milliseconds])
    }
}
