import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// Refunds a transaction; a repeated call changes nothing.
    ///
    /// A refund also revokes the transactions that restore the refunded transaction, that the account got by purchasing the already owned
    /// product again, or that give family members access. A subscription ends if its newest period is refunded.
    ///
    /// - Parameter includesFree: Whether a transaction without a price is revoked; with false, the method throws ``StoreError/notCharged``.
    func refund(_ request: IssueRefund, includesFree: Bool = false) async throws {
        guard [nil, 0, 1].contains(request.reason) else { throw StoreError.invalidValue(field: "reason") }
        guard (1...100_000).contains(request.percentage ?? 100_000) else { throw StoreError.invalidValue(field: "percentage") }
        try await write { db, now in try refund(request, includesFree: includesFree, at: now, db) }
    }

    /// Refunds a transaction, as part of a running database transaction.
    func refund(_ request: IssueRefund, includesFree: Bool = false, at now: Timestamp, _ db: Database) throws {
        guard let row = try TransactionRecord.find(request.transactionID, db) else { throw StoreError.transactionUnknown }
        guard row.kind != .restore, row.price != 0 || includesFree else { throw StoreError.notCharged }
        guard row.revokedAt == nil else { return }
        if let period = row.period, let subscription = try SubscriptionRecord.fetchOne(db, key: row.originalID.rawValue) {
            // The state machine of subscriptions has no revocation reasons, so the reason is written first; the notification states it. The
            // state machine does not cover restored transactions, so they are revoked afterwards.
            try db.execute(
                sql: "UPDATE transactions SET revocationReason = ? WHERE id = ?", arguments: [request.reason ?? 0, row.id.rawValue])
            try apply(.refunded(period: period, prorated: request.percentage != nil), to: subscription, at: now, db)
            return try revokeRestored(from: row.id, request.reason, at: now, db)
        }
        let revocation = Self.revocation(request.percentage)
        let sql = "SELECT * FROM transactions WHERE originalID = ? AND revokedAt IS NULL ORDER BY rowid"
        let isOwnedOnce = row.period == nil && !row.type.allowsQuantity
        let affected = isOwnedOnce ? try TransactionRecord.fetchAll(db, sql: sql, arguments: [row.originalID.rawValue]) : [row]
        for var revoked in affected {
            revoked.revoke(revocation, reason: request.reason ?? 0, at: now)
            try change(&revoked, db)
        }
        try revokeRestored(from: row.id, request.reason, at: now, db)
        let amount = revocation.amount(of: Money(milliunits: row.price, currency: row.currency))
        try ChargeRecord.refund(row, amount.milliunits, at: now, db)
        guard let revoked = try TransactionRecord.find(row.id, db) else { throw StoreError.transactionUnknown }
        try insertEvent(.refund, about: revoked, at: now, db)
        try notify(.refunded, about: revoked, at: now, db)
        try revokeShared(from: revoked, at: now, db)
    }

    /// Reverses a refund: charges the account again, and gives access to the transaction again.
    ///
    /// - Throws: ``StoreError/notRefunded`` if the transaction is not refunded.
    func reverseRefund(of id: TransactionID) async throws {
        try await write { db, now in
            guard let row = try TransactionRecord.find(id, db) else { throw StoreError.transactionUnknown }
            guard row.kind != .restore, row.revokedAt != nil, row.purchaserTransactionID == nil else { throw StoreError.notRefunded }
            if let period = row.period, let subscription = try SubscriptionRecord.fetchOne(db, key: row.originalID.rawValue) {
                try apply(.refundReversed(period: period), to: subscription, at: now, db)
                return try reinstateRestored(from: id, db)
            }
            let sql = "SELECT * FROM transactions WHERE originalID = ? AND revokedAt IS NOT NULL ORDER BY rowid"
            let isOwnedOnce = row.period == nil && !row.type.allowsQuantity
            for var reinstated in isOwnedOnce ? try TransactionRecord.fetchAll(db, sql: sql, arguments: [row.originalID.rawValue]) : [row] {
                reinstated.reinstate()
                try change(&reinstated, db)
            }
            try reinstateRestored(from: id, db)
            guard let reinstated = try TransactionRecord.find(id, db) else { throw StoreError.transactionUnknown }
            try ChargeRecord.reversal(reinstated, at: now, db)
            try insertEvent(.refundReversal, about: reinstated, at: now, db)
            try notify(.refundReversed, about: reinstated, at: now, db)
            if apps[reinstated.bundleID]?.catalog.product(reinstated.productID)?.isFamilyShareable == true {
                try share(reinstated, at: now, db)
            }
        }
    }

    /// Revokes the restored transactions whose original transaction was revoked.
    private func revokeRestored(from id: TransactionID, _ reason: Int?, at now: Timestamp, _ db: Database) throws {
        let source = try TransactionRecord.find(id, db)
        let sql = "SELECT * FROM transactions WHERE restores = ? AND revokedAt IS NULL"
        for var row in try TransactionRecord.fetchAll(db, sql: sql, arguments: [id.rawValue]) {
            row.revoke(.full, reason: reason ?? 0, at: now)
            if let source, source.revokedAt != nil {
                row.revocationType = source.revocationType
                row.revocationPercentage = source.revocationPercentage
            }
            try change(&row, db)
        }
    }

    /// Reinstates the restored transactions of a transaction whose refund was reversed, unless that transaction is still revoked.
    private func reinstateRestored(from id: TransactionID, _ db: Database) throws {
        guard let source = try TransactionRecord.find(id, db), source.revokedAt == nil else { return }
        let sql = "SELECT * FROM transactions WHERE restores = ? AND revokedAt IS NOT NULL"
        for var copy in try TransactionRecord.fetchAll(db, sql: sql, arguments: [id.rawValue]) {
            copy.reinstate()
            try change(&copy, db)
        }
    }

    private static func revocation(_ percentage: Int?) -> SubscriptionRevocation {
        percentage.map { .prorated($0) } ?? .full
    }
}
