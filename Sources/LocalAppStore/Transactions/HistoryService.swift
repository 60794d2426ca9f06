import Foundation
import GRDB
import PurchaseModel
import StoreProtocol

/// The service that lists the transactions and subscriptions of an account, for devices and for the control API.
struct HistoryService: Sendable {
    let context: StoreContext

    /// Returns the transactions of a device's account and app that are new or changed since a revision, in the order of the changes.
    ///
    /// The cost of a page depends on its number of transactions only, regardless of the number of other transactions.
    ///
    /// - Parameter revision: The revision of the device's last reply; nil to begin with the first transaction.
    /// - Throws: ``StoreError/invalidValue(field:)`` if `revision` is not a revision of the account and the app.
    func history(for session: SessionRecord, after revision: String? = nil) async throws -> HistoryReply {
        let queryKey = "history \(session.bundleID) \(session.account)"
        var start = PageToken.Position(first: 0, second: 0)
        if let revision {
            guard let token = PageToken(revision, for: queryKey) else { throw StoreError.invalidValue(field: "revision") }
            start = token.position
        }
        let (whole, subscriptions, deletions) = try await context.read {
            [start] db -> ([TransactionRecord], [(row: SubscriptionRecord, current: TransactionRecord)], Int64) in
            let deletions = try StoreSettings.deletions.value(db).flatMap { Int64($0) } ?? 0
            let sql = """
                SELECT * FROM transactions WHERE account = ? AND bundleID = ? AND kind <> 'restore' AND revision > ?
                ORDER BY revision LIMIT ?
                """
            let arguments: StatementArguments = [
                session.account.rawValue, session.bundleID.rawValue, deletions == start.second ? start.first : 0,
                HistoryReply.limit + 1,
            ]
            let rows = try TransactionRecord.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
            guard rows.count <= HistoryReply.limit else { return (rows, [], deletions) }
            return (rows, try currentPeriods(of: session, db), deletions)
        }
        let now = context.clock.now
        let page = whole.prefix(HistoryReply.limit)
        // A device without a revision has the transactions of its own purchases, which may be deleted, too.
        let isStale = deletions != start.second
        let end = PageToken.Position(first: page.last?.revision ?? (isStale ? 0 : start.first), second: deletions)
        var reply = HistoryReply(
            transactions: try page.map {
                HistoryReply.Purchase(
                    signedTransaction: try context.signer.sign($0, for: session.device, at: now), isFinished: $0.finishedAt != nil)
            },
            statuses: try subscriptions.map { try HistoryReply.Status($0.row, $0.current, for: session, in: context, at: now) },
            revision: PageToken(end, at: Timestamp(milliseconds: 0)).text(for: queryKey),
            hasMore: page.count < whole.count
        )
        reply.replacesHistory = isStale ? true : nil
        return reply
    }

    /// Returns the subscriptions of a device's account and app, each with the transaction of its current period.
    private func currentPeriods(
        of session: SessionRecord, _ db: Database
    ) throws -> [(row: SubscriptionRecord, current: TransactionRecord)] {
        let now = context.clock.now
        return try SubscriptionRecord.all(of: session.account, in: session.bundleID, db).compactMap { row in
            try TransactionRecord.currentPeriod(of: row.id, at: now, db).map { (row, $0) }
        }
    }

    /// Returns the signed app transaction of a device's account and app.
    func appTransaction(for session: SessionRecord) async throws -> SignedAppTransaction {
        let (buyer, download, now) = try await context.transaction { db, now -> (Buyer, AppDownloadRecord, Timestamp) in
            let buyer = try Buyer(
                session.account, session.bundleID, session.device, session.appVersion, in: context.apps, at: now, db)
            let download = try AppDownloadRecord.findOrCreate(session.account, session.bundleID, version: session.appVersion, at: now, db)
            return (buyer, download, now)
        }
        var payload = download.appTransaction(of: buyer.app, buyer.account.environment, at: now)
        payload.applicationVersion = session.appVersion
        if buyer.account.environment == .production {
            payload.versionExternalIdentifier = buyer.app.versionExternalID(session.appVersion)
        }
        return try context.signer.sign(payload, for: session.device)
    }

    /// The maximum number of an account's transactions in one response of the control API, which has the newest transactions.
    static let historyLimit = 1_000

    /// Returns an account's newest transactions in all apps, oldest first.
    func transactions(of account: AccountID) async throws -> TransactionsReply {
        let now = context.clock.now
        let rows = try await context.read { db in
            _ = try AccountRecord.require(account, db)
            let sql = "SELECT * FROM transactions WHERE account = ? ORDER BY rowid DESC LIMIT ?"
            return try TransactionRecord.fetchAll(db.cachedStatement(sql: sql), arguments: [account.rawValue, Self.historyLimit]).reversed()
                as [TransactionRecord]
        }
        return TransactionsReply(
            signedTransactions: try rows.map { try context.signer.sign($0, at: now) },
            summaries: rows.map { Self.summary(of: $0, at: now) }
        )
    }

    /// Returns a transaction with its account.
    ///
    /// - Throws: ``StoreError/transactionUnknown`` if the store has no such transaction.
    func transaction(_ id: TransactionID) async throws -> TransactionDetails {
        let now = context.clock.now
        guard let row = try await context.read({ db in try TransactionRecord.first("id", id.rawValue, db) }) else {
            throw StoreError.transactionUnknown
        }
        return TransactionDetails(
            account: row.account, signedTransaction: try context.signer.sign(row, at: now), summary: Self.summary(of: row, at: now))
    }

    private static func summary(of row: TransactionRecord, at now: Timestamp) -> TransactionSummary {
        TransactionSummary(
            payload: row.payload(signedDate: now), kind: row.kind.rawValue, finishedDate: row.finishedAt, orderID: row.orderID)
    }
}
