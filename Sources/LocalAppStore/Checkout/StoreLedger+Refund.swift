import GRDB
import PurchaseModel

extension StoreLedger {
    /// Gives the money of a transaction back, for a reason that is not the app's fault; a second time changes nothing.
    ///
    /// What was restored from it, or taken again while it was owned, is revoked with it. A subscription ends when its newest
    /// period is refunded. A transaction that cost nothing cannot be refunded: the one that was charged can.
    func refund(_ id: TransactionID) async throws {
        try await write { db, now in
            guard let row = try TransactionRow.find(id, db) else { throw StoreError.transactionUnknown }
            guard row.kind != .restore, row.price != 0 else { throw StoreError.nothingToRefund }
            try ChargeRow(.refund, of: row, at: now).insert(db, onConflict: .ignore)
            guard db.changesCount == 1 else { return }
            let affected = row.expiresDate == nil ? "originalID = ?" : "(id = ? OR restores = ?)"
            let ids: StatementArguments = row.expiresDate == nil ? [row.originalID.rawValue] : [id.rawValue, id.rawValue]
            try db.execute(
                sql: "UPDATE transactions SET revokedAt = ? WHERE revokedAt IS NULL AND \(affected)",
                arguments: [now.wholeSeconds.milliseconds] + ids
            )
            guard let revoked = try TransactionRow.find(id, db) else { throw StoreError.transactionUnknown }
            try tell(of: revoked, at: now, db)
        }
    }

    private func tell(of revoked: TransactionRow, at now: Timestamp, _ db: Database) throws {
        guard var subscription = try SubscriptionRow.fetchOne(db, key: revoked.originalID.rawValue) else {
            return try notify(.refunded, about: revoked, at: now, db)
        }
        guard subscription.subscription.paidUntil == revoked.expiresDate else {
            return try notify(.refunded, about: revoked, subscription.subscription, at: now, db)
        }
        let actions = subscription.handle(.refunded, at: now)
        try perform(actions, of: &subscription, at: now, db)
    }
}
