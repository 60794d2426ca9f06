import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// Returns a page of the transactions that a device has not finished, oldest first.
    ///
    /// The last page also has the account's purchase intents, App Store messages, declined payments and storefront.
    ///
    /// The list includes transactions from before the device's first sign-in to the account that no device has finished, and refunded
    /// transactions. Declined payments are listed in every reply; a device ignores declined payments for which it no longer waits.
    ///
    /// - Parameter after: The pagination token of the previous page; nil for the first page.
    func unfinished(of session: SessionRecord, after: String? = nil) async throws -> UnfinishedReply {
        var (whole, reply) = try await read { db in
            let arguments: StatementArguments = [
                session.account.rawValue, session.device.rawValue, try session.lastRowBeforeFirstSignIn(db), session.bundleID.rawValue,
            ]
            let sql = """
                SELECT * FROM transactions
                WHERE account = ? AND (device = ? OR rowid <= ? AND restores IS NULL) AND bundleID = ? AND finishedAt IS NULL AND rowid > ?
                ORDER BY rowid LIMIT ?
                """
            let start = try position(of: after, db) { $0.account == session.account && $0.bundleID == session.bundleID }
            let rows = try TransactionRecord.fetchAll(
                db.cachedStatement(sql: sql), arguments: arguments + [start, UnfinishedReply.limit + 1])
            let isLast = rows.count <= UnfinishedReply.limit
            return (try withOriginals(rows, in: session.bundleID, db), isLast ? try lastPage(for: session, db) : nil)
        }
        if reply == nil { whole.removeLast() }
        let transactions = try whole.map { try unfinishedTransaction($0, for: session) }
        reply?.transactions = transactions
        var page = reply ?? UnfinishedReply(transactions: transactions, declined: [])
        page.paginationToken = reply == nil ? whole.last?.row.id.rawValue : nil
        return page
    }

    /// Returns a reply with an account's purchase intents, App Store messages, declined payments and storefront, and without transactions.
    private func lastPage(for session: SessionRecord, _ db: Database) throws -> UnfinishedReply {
        let arguments: StatementArguments = [session.account.rawValue, session.device.rawValue, session.bundleID.rawValue]
        let declinedSQL =
            "SELECT id FROM payments WHERE account = ? AND device = ? AND bundleID = ? AND state = 'declined' ORDER BY rowid"
        let declined = try String.fetchAll(db.cachedStatement(sql: declinedSQL), arguments: arguments)
        let promotedSQL = "SELECT id, productID, offerID FROM promotions WHERE account = ? AND bundleID = ? ORDER BY id"
        let promoted = try PromotionRecord.fetchAll(
            db.cachedStatement(sql: promotedSQL), arguments: [session.account.rawValue, session.bundleID.rawValue])
        var reply = UnfinishedReply(
            transactions: [], declined: declined.map { PaymentID($0) }, promotions: promoted.isEmpty ? nil : promoted.map(\.intent))
        let messages = try messages(for: session, db)
        reply.messages = messages.isEmpty ? nil : messages
        reply.storefront = try AccountRecord.require(session.account, db).storefront(of: try apps.require(session.bundleID))
        return reply
    }

    /// Finishes transactions of a device's account and app; a repeated call changes nothing.
    ///
    /// - Throws: ``StoreError/transactionUnknown`` if the first transaction does not exist; other unknown transactions are ignored.
    func finish(_ request: FinishRequest, of session: SessionRecord) async throws {
        let further = request.furtherTransactionIDs ?? []
        guard further.count <= FinishRequest.limit else { throw StoreError.invalidValue(field: "furtherTransactionIDs") }
        try await write { db, now in
            try finish(try transaction(request.transactionID, of: session, db), at: now, db)
            for id in further {
                guard let row = try TransactionRecord.find(id, db), row.isKnown(to: session) else { continue }
                try finish(row, at: now, db)
            }
        }
    }

    /// Finishes a transaction, as part of a running database transaction.
    func finish(_ row: TransactionRecord, at now: Timestamp, detail: String? = nil, _ db: Database) throws {
        guard row.finishedAt == nil else { return }
        let revision = try StoreCounter.change.nextNumber(db)
        try db.cachedStatement(sql: "UPDATE transactions SET finishedAt = ?, revision = ? WHERE id = ?").execute(arguments: [
            now.milliseconds, revision, row.id.rawValue,
        ])
        try insertEvent(.finish, about: row, at: now, detail: detail, db)
    }
}
