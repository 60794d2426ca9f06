import GRDB
import PurchaseModel
import StoreProtocol

/// The service that restores the purchases of an account on a device.
struct RestoreService: Sendable {
    let context: StoreContext
    let transactions: TransactionService
    let events: EventService

    /// Creates a new transaction on the device for each purchase that can be restored, and returns one page of these transactions.
    ///
    /// A repeated request with the same identifier creates no transactions and returns another page. The store restores the first
    /// transaction of each non-consumable and free subscription, and each paid period of each auto-renewable subscription. It does not
    /// restore revoked transactions, and no products that are sold in seats, which require StoreKit 2. A restore charges nothing.
    func restore(_ request: RestoreRequest, by session: SessionRecord) async throws -> RestoreReply {
        guard (1...CheckoutService.identifierLimit).contains(request.requestID.utf8.count), IdentifierText.isValid(request.requestID) else {
            throw StoreError.invalidValue(field: "requestID")
        }
        let whole = try await context.transaction { db, now in
            let key: StatementArguments = [session.account.rawValue, request.requestID]
            try db.execute(
                sql: "INSERT INTO restores (account, request, date) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                arguments: key + [now.milliseconds]
            )
            if db.changesCount == 1 {
                for row in try restorable(of: session, for: request, db) {
                    let id = TransactionID(try StoreCounter.transaction.next(db))
                    try row.restored(as: id, request.requestID, by: session, at: now).insert(db)
                }
                try events.insertEvent(
                    EventRecord(date: now, kind: .restore, bundleID: session.bundleID, account: session.account), db)
            }
            let sql = "SELECT * FROM transactions WHERE account = ? AND restoreRequest = ? AND rowid > ? ORDER BY rowid LIMIT ?"
            let start = try transactions.position(of: request.paginationToken, db) {
                $0.account == session.account && $0.restoreRequest == request.requestID
            }
            let rows = try TransactionRecord.fetchAll(db.cachedStatement(sql: sql), arguments: key + [start, RestoreReply.limit + 1])
            return try transactions.withOriginals(rows, in: session.bundleID, db)
        }
        let page = whole.prefix(RestoreReply.limit)
        return RestoreReply(
            transactions: try page.map { try transactions.unfinishedTransaction($0, for: session) },
            paginationToken: page.count < whole.count ? page.last?.row.id.rawValue : nil
        )
    }

    private func restorable(of session: SessionRecord, for request: RestoreRequest, _ db: Database) throws -> [TransactionRecord] {
        let sql = """
            SELECT * FROM transactions
            WHERE account = ? AND bundleID = ? AND kind <> 'restore' AND revokedAt IS NULL AND multiSeatInfo IS NULL
                AND (id = originalID OR expiresDate IS NOT NULL)
                AND (? IS NULL OR appAccountToken = ?) AND (? IS NULL OR applicationUsername = ?)
            ORDER BY rowid
            """
        let (token, applicationUsername) = (request.appAccountToken?.rawValue, request.applicationUsername)
        let arguments: StatementArguments = [
            session.account.rawValue, session.bundleID.rawValue, token, token, applicationUsername, applicationUsername,
        ]
        return try TransactionRecord.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).filter(\.type.isRestorable)
    }
}

extension TransactionRecord {
    /// Returns a new transaction that restores this transaction on a device.
    fileprivate func restored(as id: TransactionID, _ request: String, by session: SessionRecord, at now: Timestamp) -> TransactionRecord {
        var row = self
        row.id = id
        row.kind = .restore
        row.device = session.device
        row.appVersion = session.appVersion
        row.purchaseDate = now.wholeSeconds
        row.payment = nil
        row.restores = self.id
        row.restoreRequest = request
        row.finishedAt = nil
        return row
    }
}
