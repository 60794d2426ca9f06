import Foundation
import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
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
        let (whole, subscriptions, deletions) = try await read {
            [start] db -> ([TransactionRecord], [(row: SubscriptionRecord, newest: TransactionRecord)], Int64) in
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
            return (rows, try newestPeriods(of: session, db), deletions)
        }
        let now = clock.now
        let page = whole.prefix(HistoryReply.limit)
        let isStale = revision != nil && deletions != start.second
        let end = PageToken.Position(first: page.last?.revision ?? (isStale ? 0 : start.first), second: deletions)
        var reply = HistoryReply(
            transactions: try page.map {
                HistoryReply.Purchase(
                    signedTransaction: try signer.sign($0, for: session.device, at: now), isFinished: $0.finishedAt != nil)
            },
            statuses: try subscriptions.map { try status($0, for: session, at: now) },
            revision: PageToken(end, at: Timestamp(milliseconds: 0)).text(for: queryKey),
            hasMore: page.count < whole.count
        )
        reply.replacesHistory = isStale ? true : nil
        return reply
    }

    /// Returns the subscriptions of a device's account and app, each with the transaction of its newest period.
    private func newestPeriods(of session: SessionRecord, _ db: Database) throws -> [(row: SubscriptionRecord, newest: TransactionRecord)] {
        try SubscriptionRecord.all(of: session.account, in: session.bundleID, db).compactMap { row in
            try TransactionRecord.newestPeriod(of: row.id, db).map { (row, $0) }
        }
    }

    /// Returns the signed app transaction of a device's account and app.
    func appTransaction(for session: SessionRecord) async throws -> SignedAppTransaction {
        let (buyer, download, now) = try await write { db, now -> (Buyer, AppDownloadRecord, Timestamp) in
            let buyer = try self.buyer(session.account, session.bundleID, session.device, session.appVersion, at: now, db)
            let download = try AppDownloadRecord.findOrCreate(session.account, session.bundleID, version: session.appVersion, at: now, db)
            return (buyer, download, now)
        }
        var payload = appTransaction(download, buyer.app, buyer.account.environment, at: now)
        payload.applicationVersion = session.appVersion
        if buyer.account.environment == .production {
            payload.versionExternalIdentifier = buyer.app.versionExternalID(session.appVersion)
        }
        return try signer.sign(payload, for: session.device)
    }

    /// Returns the payload of an app transaction, without the installed version of the app.
    func appTransaction(
        _ download: AppDownloadRecord, _ app: StoreApp, _ environment: AppEnvironment, at now: Timestamp
    ) -> AppTransactionPayload {
        // In the sandbox, as in Apple's, the original version is always 1.0 and the original purchase date is always 1 August 2013.
        let isReal = environment == .production
        var payload = AppTransactionPayload(
            receiptType: environment.rawValue, bundleId: app.bundleID, receiptCreationDate: now)
        payload.originalPurchaseDate = isReal ? download.originalPurchaseDate : Timestamp(milliseconds: 1_375_340_400_000)
        payload.originalApplicationVersion = isReal ? download.originalAppVersion : "1.0"
        payload.appTransactionId = download.id
        payload.appAppleId = isReal ? app.row.appAppleID : nil
        payload.originalPlatform = PurchasePlatform.iOS.rawValue
        return payload
    }
}
