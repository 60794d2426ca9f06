import GRDB
import PurchaseModel
import StoreProtocol

/// The service that writes transactions, and passes them to devices until the devices finish them.
struct TransactionService: Sendable {
    let context: StoreContext
    let contents: ContentService
    let events: EventService

    /// A transaction that the store sends to a device, with the transaction that it restores and the hosted content of its product.
    struct OutgoingTransaction: Sendable {
        var row: TransactionRecord
        var original: TransactionRecord?
        var content: HostedContent?
    }

    /// Returns a transaction of a device's account and app.
    ///
    /// - Throws: ``StoreError/transactionUnknown`` if the transaction does not exist or belongs to another account or app.
    func transaction(_ id: TransactionID, of session: SessionRecord, _ db: Database) throws -> TransactionRecord {
        guard let row = try TransactionRecord.find(id, db), row.isKnown(to: session) else { throw StoreError.transactionUnknown }
        return row
    }

    /// Returns the row number of the last transaction on the previous page; 0 if `paginationToken` is nil, for the first page.
    ///
    /// - Throws: ``StoreError/invalidValue(field:)`` if `paginationToken` names no transaction that `isIncluded` accepts.
    func position(of paginationToken: String?, _ db: Database, where isIncluded: (TransactionRecord) -> Bool) throws -> Int64 {
        guard let paginationToken else { return 0 }
        let sql = "SELECT rowid FROM transactions WHERE id = ?"
        guard let row = try TransactionRecord.find(TransactionID(paginationToken), db), isIncluded(row),
            let position = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [paginationToken])
        else { throw StoreError.invalidValue(field: "paginationToken") }
        return position
    }

    /// Adds the transactions that they restore and their products' hosted content to transactions of an app.
    ///
    /// The method makes two queries, whatever the number of transactions.
    func withOriginals(_ rows: [TransactionRecord], in bundleID: BundleID, _ db: Database) throws -> [OutgoingTransaction] {
        let contents = try contents.contents(in: bundleID, db)
        let ids = rows.compactMap { $0.restores?.rawValue }
        let originals = ids.isEmpty ? [] : try TransactionRecord.filter(ids.contains(Column("id"))).fetchAll(db)
        let byID = Dictionary(originals.map { ($0.id, $0) }) { first, _ in first }
        return rows.map { OutgoingTransaction(row: $0, original: $0.restores.flatMap { byID[$0] }, content: contents[$0.productID]) }
    }

    /// Returns a transaction as the device API sends it: signed for the device of the session.
    func unfinishedTransaction(_ outgoing: OutgoingTransaction, for session: SessionRecord) throws -> UnfinishedTransaction {
        let now = context.clock.now
        return UnfinishedTransaction(
            // Only the device that made the payment has use for the payment's identifier.
            payment: outgoing.row.device == session.device ? outgoing.row.payment : nil,
            signedTransaction: try context.signer.sign(outgoing.row, for: session.device, at: now),
            restoredFrom: try outgoing.original.map { try context.signer.sign($0, for: session.device, at: now) },
            content: outgoing.content
        )
    }

    /// The SQL of ``unfinished(of:after:)``, which reads an index without finished transactions in the order of the page.
    static let unfinishedSQL = """
        SELECT * FROM transactions INDEXED BY transactions_unfinished
        WHERE account = ? AND (device = ? OR rowid <= ? AND restores IS NULL) AND bundleID = ? AND finishedAt IS NULL AND rowid > ?
        ORDER BY rowid LIMIT ?
        """

    /// Returns a page of the transactions that a device has not finished, oldest first.
    ///
    /// The last page also has the account's purchase intents, App Store messages, declined payments and storefront.
    ///
    /// The list includes transactions from before the device's first sign-in to the account that no device has finished, and refunded
    /// transactions. Declined payments are listed in every reply; a device ignores declined payments for which it no longer waits.
    ///
    /// - Parameter after: The pagination token of the previous page; nil for the first page.
    func unfinished(of session: SessionRecord, after: String? = nil) async throws -> UnfinishedReply {
        var (whole, reply) = try await context.read { db in
            let arguments: StatementArguments = [
                session.account.rawValue, session.device.rawValue, try session.lastRowBeforeFirstSignIn(db), session.bundleID.rawValue,
            ]
            let start = try position(of: after, db) { $0.account == session.account && $0.bundleID == session.bundleID }
            let rows = try TransactionRecord.fetchAll(
                db.cachedStatement(sql: Self.unfinishedSQL), arguments: arguments + [start, UnfinishedReply.limit + 1])
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
        let app = try context.apps.require(session.bundleID)
        let messages = try StoreMessage.all(for: session, in: app.catalog, db)
        reply.messages = messages.isEmpty ? nil : messages
        reply.storefront = try AccountRecord.require(session.account, db).storefront(of: app)
        return reply
    }

    /// Finishes transactions of a device's account and app; a repeated call changes nothing.
    ///
    /// - Throws: ``StoreError/transactionUnknown`` if the first transaction does not exist; other unknown transactions are ignored.
    func finish(_ request: FinishRequest, of session: SessionRecord) async throws {
        let further = request.furtherTransactionIDs ?? []
        guard further.count <= FinishRequest.limit else { throw StoreError.invalidValue(field: "furtherTransactionIDs") }
        try await context.transaction { db, now in
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
        try events.insertEvent(.finish, about: row, at: now, detail: detail, db)
    }

    /// Inserts a transaction, and a charge if its price is not 0.
    func insert(_ row: inout TransactionRecord, at now: Timestamp, _ db: Database) throws {
        row.change = try StoreCounter.change.nextNumber(db)
        row.revision = row.change
        try row.insert(db)
        if row.price != 0 {
            try ChargeRecord.charge(row, at: now).insert(db)
        }
    }

    /// Saves a changed transaction with a new change number, so that devices and transaction histories list it again.
    func change(_ row: inout TransactionRecord, _ db: Database) throws {
        row.change = try StoreCounter.change.nextNumber(db)
        row.revision = row.change
        try row.update(db)
    }
}

extension TransactionRecord {
    /// Returns whether the transaction belongs to the account and the app of a device's sign-in.
    func isKnown(to session: SessionRecord) -> Bool {
        account == session.account && bundleID == session.bundleID
    }
}
