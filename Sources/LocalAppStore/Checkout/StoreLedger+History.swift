import Foundation
import GRDB
import PurchaseModel

extension StoreLedger {
    /// What the caller has in its app.
    func purchases(for session: SessionRow) async throws -> PurchasesReply {
        let now = clock.now
        let (rows, subscriptions) = try await read { db in
            let subscriptions = try SubscriptionRow.all(of: session.account, in: session.bundleID, db).compactMap { row in
                try TransactionRow.newestPeriod(of: row.id, db).map { (row, $0) }
            }
            return (try receiptRows(of: session.account, session.bundleID, db).suffix(PurchasesReply.limit), subscriptions)
        }
        return PurchasesReply(
            transactions: try rows.map {
                PurchasesReply.Purchase(transaction: try signer.sign($0, at: now), isFinished: $0.finishedAt != nil)
            },
            statuses: try subscriptions.map { row, newest in
                PurchasesReply.Status(
                    group: row.groupID, status: row.subscription.status, transaction: try signer.sign(newest, at: now),
                    renewalInfo: try signer.sign(renewalInfo(row, environment: newest.environment, at: now))
                )
            },
            cursor: "0", hasMore: false
        )
    }

    /// That the caller's account got the app.
    func appTransaction(for session: SessionRow) async throws -> SignedAppTransaction {
        let (buyer, download, now) = try await write { db, now -> (Buyer, DownloadRow, Timestamp) in
            let buyer = try self.buyer(session.account, session.bundleID, session.device, session.appVersion, at: now, db)
            let download = try DownloadRow.obtain(session.account, session.bundleID, version: session.appVersion, at: now, db)
            return (buyer, download, now)
        }
        var payload = appTransaction(download, buyer.app, buyer.account.environment, at: now)
        payload.applicationVersion = session.appVersion
        return try signer.sign(payload)
    }

    /// What is said of an account that got an app; devices are told the version that they have besides.
    func appTransaction(
        _ download: DownloadRow, _ app: StoreApp, _ environment: AppEnvironment, at now: Timestamp
    ) -> AppTransactionPayload {
        // The sandbox has always said the same about where an app came from.
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
