import GRDB
import PurchaseModel

extension StoreLedger {
    /// The most transactions of one answer; the rest follows when these are finished.
    static let unfinishedLimit = 1_000

    /// What this device has not finished, oldest first, and the payments that a parent declined.
    ///
    /// What was refunded meanwhile is among them and says so. Declined payments are named for ever: a device that does not wait for one any more passes over it.
    func unfinished(of session: SessionRow) async throws -> UnfinishedReply {
        let whose: StatementArguments = [session.account.rawValue, session.device.rawValue, session.bundleID.rawValue]
        let (rows, declined, promoted) = try await read { db in
            let sql =
                "SELECT * FROM transactions WHERE account = ? AND device = ? AND bundleID = ? AND finishedAt IS NULL ORDER BY rowid LIMIT ?"
            let rows = try TransactionRow.fetchAll(db.cachedStatement(sql: sql), arguments: whose + [Self.unfinishedLimit])
            let declinedSQL =
                "SELECT id FROM payments WHERE account = ? AND device = ? AND bundleID = ? AND state = 'declined' ORDER BY rowid"
            let declined = try String.fetchAll(db.cachedStatement(sql: declinedSQL), arguments: whose)
            let promotedSQL = "SELECT id, productID, offerID FROM promotions WHERE account = ? AND bundleID = ? ORDER BY id"
            let promoted = try PromotionRow.fetchAll(
                db, sql: promotedSQL, arguments: [session.account.rawValue, session.bundleID.rawValue])
            return (try withOriginals(rows, db), declined, promoted)
        }
        return UnfinishedReply(
            transactions: try rows.map { try sign($0) }, declined: declined.map { PaymentID($0) },
            promotions: promoted.isEmpty ? nil : promoted.map(\.intent))
    }

    /// Marks a transaction of the caller's as delivered; doing it again changes nothing.
    func finish(_ id: TransactionID, of session: SessionRow) async throws {
        try await write { db, now in
            guard let row = try TransactionRow.find(id, db), row.account == session.account, row.bundleID == session.bundleID else {
                throw StoreError.transactionUnknown
            }
            guard row.finishedAt == nil else { return }
            let sql = "UPDATE transactions SET finishedAt = ? WHERE id = ?"
            try db.cachedStatement(sql: sql).execute(arguments: [now.milliseconds, id.rawValue])
            try record(.finish, about: row, at: now, db)
        }
    }

    /// Transactions with those that they restore.
    func withOriginals(_ rows: [TransactionRow], _ db: Database) throws -> [(row: TransactionRow, original: TransactionRow?)] {
        try rows.map { row in (row, try row.restores.flatMap { try TransactionRow.find($0, db) }) }
    }

    /// A transaction as a device gets it.
    func sign(_ pair: (row: TransactionRow, original: TransactionRow?)) throws -> UnfinishedTransaction {
        let now = clock.now
        return UnfinishedTransaction(
            payment: pair.row.payment,
            transaction: try signer.sign(pair.row, at: now),
            restoredFrom: try pair.original.map { try signer.sign($0, at: now) }
        )
    }
}
