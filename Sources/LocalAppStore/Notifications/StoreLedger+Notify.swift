import Foundation
import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// Signs a notification about a transaction and saves it for delivery, in the database transaction of the reported event.
    ///
    /// The signed notification is stored, so that each attempt sends the same bytes.
    ///
    /// - Parameters:
    ///   - subscription: The subscription of the transaction; nil for other products.
    ///   - consumptionReason: The reason of the refund request; nil unless the notification is a `CONSUMPTION_REQUEST`.
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

    /// Signs a `TEST` notification in the format of version 2 and saves it for delivery.
    @discardableResult
    func notifyTest(in bundleID: BundleID, _ environment: AppEnvironment, at now: Timestamp, _ db: Database) throws -> NotificationRecord {
        try post(StoreNotice(.test), in: bundleID, environment, at: now, db) { .data(data(in: bundleID, environment)) }
    }

    /// Signs the `SUMMARY` notification of a mass renewal date extension and saves it for delivery.
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

    /// Signs a notification about any subject and saves it for delivery.
    ///
    /// - Parameters:
    ///   - row: The transaction that the notification is about; nil if it is not about a transaction.
    ///   - subject: A closure that returns the payload's data; it runs with the signing faults that are enabled for the notification.
    @discardableResult
    func post(
        _ notice: StoreNotice, in bundleID: BundleID, _ environment: AppEnvironment, about row: TransactionRecord? = nil,
        _ subscription: SubscriptionRecord? = nil, at now: Timestamp, _ db: Database, subject: () throws -> NotificationSubject
    ) throws -> NotificationRecord {
        let effects = try applyNotificationFaults(in: bundleID, about: row, at: now, db)
        // The signing faults of the current request do not affect the notification; only faults that match the notification do.
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
            notification.useVersion1(try version1Body(notice, about: row, subscription, of: app, at: now, db))
        }
        notification.apply(effects.notification)
        try notification.insert(db)
        if !notification.isHeld { try releaseHeld(in: bundleID, at: now, db) }
        try insertEvent(notification.event(.notification, row, at: now, detail: notification.title), db)
        return notification
    }

    /// Returns the part of a notification's `data` that is the same for all notifications of an app.
    func data(in bundleID: BundleID, _ environment: AppEnvironment) -> NotificationData {
        var data = NotificationData(bundleId: bundleID, environment: environment.rawValue)
        data.appAppleId = appAppleID(of: bundleID, in: environment)
        return data
    }

    /// Returns the `appAppleId` of an app for a notification; nil for the sandbox, whose notifications do not contain it.
    func appAppleID(of bundleID: BundleID, in environment: AppEnvironment) -> Int64? {
        environment == .production ? apps[bundleID]?.row.appAppleID : nil
    }

    /// Returns the current renewal info of a subscription, with its eligible win-back offers.
    func renewalInfo(_ row: SubscriptionRecord, environment: AppEnvironment, at now: Timestamp) -> RenewalInfoPayload {
        let offers = apps[row.bundleID]?.catalog.product(row.subscription.productID)?.subscription?.offers ?? []
        return row.subscription.renewalInfo(
            environment: environment, signedDate: now,
            eligibleWinBackOfferIDs: row.subscription.eligibleWinBackOfferIDs(among: offers)
        )
    }

    /// Returns the newest notifications with the states of their delivery, oldest first, and without their payloads.
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
