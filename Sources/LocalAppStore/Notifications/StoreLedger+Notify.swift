import Foundation
import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// Signs a notification about a transaction and puts it into the outbox, in the transaction of what it tells of.
    ///
    /// It is kept as it was signed: each attempt to deliver it sends the same bytes.
    @discardableResult
    func notify(
        _ notice: StoreNotice, about row: TransactionRecord, _ subscription: SubscriptionRecord? = nil,
        consumptionReason: ConsumptionRequestReason? = nil, at now: Timestamp, _ db: Database
    ) throws -> NotificationRecord {
        try post(notice, in: row.bundleID, row.environment, about: row, subscription, at: now, db) {
            var data = data(in: row.bundleID, row.environment)
            data.bundleVersion = row.appVersion
            data.signedTransactionInfo = try signer.sign(row, at: now)
            data.signedRenewalInfo = try subscription.map { try signer.sign(renewalInfo($0, environment: row.environment, at: now)) }
            data.status = subscription?.subscription.status
            data.consumptionRequestReason = consumptionReason?.rawValue
            return .data(data)
        }
    }

    /// A notification that says nothing but that notifications arrive; for servers of the second version only.
    @discardableResult
    func notifyTest(in bundleID: BundleID, _ environment: AppEnvironment, at now: Timestamp, _ db: Database) throws -> NotificationRecord {
        try post(StoreNotice(.test), in: bundleID, environment, at: now, db) { .data(data(in: bundleID, environment)) }
    }

    /// Tells how the extension of many renewal dates went.
    @discardableResult
    func notify(
        summary: NotificationSummary, in bundleID: BundleID, _ environment: AppEnvironment, at now: Timestamp, _ db: Database
    ) throws -> NotificationRecord {
        try post(StoreNotice(.renewalExtension, .summary), in: bundleID, environment, at: now, db) {
            var summary = summary
            summary.appAppleId = appAppleID(of: bundleID, in: environment)
            return .summary(summary)
        }
    }

    /// Signs a notification about any subject and puts it into the outbox.
    @discardableResult
    func post(
        _ notice: StoreNotice, in bundleID: BundleID, _ environment: AppEnvironment, about row: TransactionRecord? = nil,
        _ subscription: SubscriptionRecord? = nil, at now: Timestamp, _ db: Database, subject: () throws -> NotificationSubject
    ) throws -> NotificationRecord {
        let effects = try strikeNotification(in: bundleID, about: row, at: now, db)
        // What is wrong with the call behind it is not wrong with the notification.
        let (payload, signed) = try SigningEffects.$current.withValue(effects.signing) {
            let payload = NotificationPayload(
                notificationType: notice.type.rawValue,
                subtype: notice.subtype?.rawValue,
                notificationUUID: UUID().uuidString.lowercased(),
                signedDate: now,
                subject: try subject()
            )
            return (payload, try signer.sign(payload))
        }
        var notification = NotificationRecord(
            payload, signed: signed, bundleID: bundleID, environment: environment, account: row?.account, originalID: row?.originalID
        )
        if let row, let app = apps[bundleID], app.row.notificationVersion == 1 {
            notification.useVersion1(try version1(notice, about: row, subscription, of: app, at: now, db))
        }
        notification.suffer(effects.notification)
        try notification.insert(db)
        if !notification.isHeld { try releaseHeld(in: bundleID, at: now, db) }
        try record(notification.event(.notification, row, at: now, detail: notification.title), db)
        return notification
    }

    /// What every notification about a purchase begins with.
    func data(in bundleID: BundleID, _ environment: AppEnvironment) -> NotificationData {
        var data = NotificationData(bundleId: bundleID, environment: environment.rawValue)
        data.appAppleId = appAppleID(of: bundleID, in: environment)
        return data
    }

    /// The app's number where it is stated: the sandbox has none.
    func appAppleID(of bundleID: BundleID, in environment: AppEnvironment) -> Int64? {
        environment == .production ? apps[bundleID]?.row.appAppleID : nil
    }

    /// What the store intends with a subscription, as it stands now.
    func renewalInfo(_ row: SubscriptionRecord, environment: AppEnvironment, at now: Timestamp) -> RenewalInfoPayload {
        let offers = apps[row.bundleID]?.catalog.product(row.subscription.productID)?.subscription?.offers ?? []
        return row.subscription.renewalInfo(
            environment: environment, signedDate: now,
            eligibleWinBackOfferIDs: row.subscription.eligibleWinBackOfferIDs(among: offers)
        )
    }

    /// The newest notifications and what became of them, oldest first, without what was signed.
    func deliveries() async throws -> DeliveriesReply {
        try await read { db in
            let sql =
                "SELECT uuid, type, subtype, attempts, isDelivered, signedDate, account FROM notifications ORDER BY rowid DESC LIMIT ?"
            let newestFirst = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [DeliveriesReply.limit]).map { row in
                DeliveriesReply.Delivery(
                    notificationUUID: row["uuid"],
                    type: row["type"],
                    subtype: row["subtype"],
                    attempts: row["attempts"],
                    delivered: row["isDelivered"],
                    signedDate: (row["signedDate"] as Int64?).map { Timestamp(milliseconds: $0) },
                    account: (row["account"] as String?).map { AccountID($0) }
                )
            }
            return DeliveriesReply(deliveries: newestFirst.reversed())
        }
    }
}
