import Foundation
import FoundationExtras
import GRDB
import PurchaseModel
import StoreProtocol

/// The service that writes notices as events, and as signed App Store Server Notifications, which ``NotificationSender`` sends.
///
/// This is a class, because most services refer to it, and copies would make an unused store larger.
final class NoticeService: Sendable {
    private let context: StoreContext
    private let events: EventService
    private let faults: FaultService
    private let receipts: ReceiptService
    private let sendsNotifications: Bool

    /// Creates the service.
    ///
    /// - Parameter sendsNotifications: Whether notices cause notifications; false for the changes of an import, which cause events only.
    init(
        context: StoreContext, events: EventService, faults: FaultService, receipts: ReceiptService, sendsNotifications: Bool = true
    ) {
        self.context = context
        self.events = events
        self.faults = faults
        self.receipts = receipts
        self.sendsNotifications = sendsNotifications
    }

    /// Writes the event of a notice, and then its notification, in the database transaction of the reported change.
    ///
    /// Features post a notice immediately after the change that it reports, because the receipt in a version 1 notification has the
    /// account's transactions at that moment.
    func post(_ notice: StoreNotice, at now: Timestamp, _ db: Database) throws {
        if let event = notice.event {
            try events.insertEvent(event.kind, about: notice.transaction, at: now, detail: event.detail, db)
        }
        guard sendsNotifications, let kind = notice.notification else { return }
        try notify(
            kind, about: notice.transaction, notice.subscription, consumptionReason: notice.consumptionReason, at: now, db)
    }

    /// Signs a notification about a transaction and saves it for delivery.
    ///
    /// The signed notification is stored, so that each attempt sends the same bytes.
    ///
    /// - Parameters:
    ///   - subscription: The subscription of the transaction; nil for other products.
    ///   - consumptionReason: The reason of the refund request; nil unless the notification is a `CONSUMPTION_REQUEST`.
    @discardableResult
    func notify(
        _ kind: NotificationKind, about row: TransactionRecord, _ subscription: SubscriptionRecord? = nil,
        consumptionReason: ConsumptionRequestReason? = nil, at now: Timestamp, _ db: Database
    ) throws -> NotificationRecord {
        try notify(kind, in: row.bundleID, row.environment, about: row, subscription, at: now, db) {
            var data = data(in: row.bundleID, row.environment)
            data.bundleVersion = row.appVersion
            data.signedTransactionInfo = try context.signer.sign(row, at: now)
            data.signedRenewalInfo = try subscription.map {
                try context.signer.sign($0.renewalInfo(environment: row.environment, in: context.apps, at: now))
            }
            data.status = subscription?.subscription.status.rawValue
            data.consumptionRequestReason = consumptionReason?.rawValue
            return .data(data)
        }
    }

    /// Signs a `TEST` notification in the format of version 2 and saves it for delivery.
    func notifyTest(in bundleID: BundleID, _ environment: AppEnvironment, at now: Timestamp, _ db: Database) throws -> NotificationRecord {
        try notify(NotificationKind(.test), in: bundleID, environment, at: now, db) { .data(data(in: bundleID, environment)) }
    }

    /// Signs the `SUMMARY` notification of a mass renewal date extension and saves it for delivery.
    @discardableResult
    func notify(
        summary: NotificationSummary, in bundleID: BundleID, _ environment: AppEnvironment, at now: Timestamp, _ db: Database
    ) throws -> NotificationRecord {
        try notify(NotificationKind(.renewalExtension, .summary), in: bundleID, environment, at: now, db) {
            var summary = summary
            summary.appAppleId = appAppleID(of: bundleID)
            return .summary(summary)
        }
    }

    /// Signs an `UNCLAIM_SEATS` notification and saves it for delivery.
    ///
    /// The members of `unclaimInfo` except the claims are those of similar objects, because no documentation of them is known.
    ///
    /// - Parameters:
    ///   - claims: The identifiers of the claims that the store released.
    ///   - row: A transaction of the purchaser's subscription.
    ///   - now: The date of the release.
    ///   - db: The database.
    func notify(unclaimed claims: [String], about row: TransactionRecord, at now: Timestamp, _ db: Database) throws {
        guard sendsNotifications else { return }
        var info = UnclaimInfo(unclaimSeatIds: claims)
        info.appAppleId = appAppleID(of: row.bundleID)
        info.bundleId = row.bundleID
        info.environment = row.environment.rawValue
        info.originalTransactionId = row.originalID
        try notify(
            NotificationKind(.unclaimSeats), in: row.bundleID, row.environment, about: row, unclaimInfo: info, at: now, db
        ) { .unknown(UnknownNotificationSubject()) }
    }

    /// Signs a notification about any subject and saves it for delivery.
    ///
    /// - Parameters:
    ///   - row: The transaction that the notification is about; nil if it is not about a transaction.
    ///   - unclaimInfo: The claims that the store released; nil for another notification.
    ///   - subject: A closure that returns the payload's data; it runs with the signing faults that are enabled for the notification.
    @discardableResult
    func notify(
        _ kind: NotificationKind, in bundleID: BundleID, _ environment: AppEnvironment, about row: TransactionRecord? = nil,
        _ subscription: SubscriptionRecord? = nil, unclaimInfo: UnclaimInfo? = nil, at now: Timestamp, _ db: Database,
        subject: () throws -> NotificationSubject
    ) throws -> NotificationRecord {
        let effects = try faults.applyNotificationFaults(in: bundleID, about: row, at: now, db)
        // The signing faults of the current request do not affect the notification; only faults that match the notification do.
        let (payload, signed) = try SigningEffects.$current.withValue(effects.signing) {
            var payload = NotificationPayload(
                notificationType: kind.type.rawValue,
                subtype: kind.subtype?.rawValue,
                notificationUUID: UUID().uuidString.lowercased(),
                signedDate: now,
                subject: try subject()
            )
            payload.unclaimInfo = unclaimInfo
            return (payload, try context.signer.sign(payload))
        }
        var notification = NotificationRecord(
            payload, signed: signed, bundleID: bundleID, environment: environment, account: row?.account, originalID: row?.originalID
        )
        var further: [NotificationRecord] = []
        if let row, let app = context.apps[bundleID], app.row.notificationVersion == 1 {
            let types = version1Types(kind, about: row, subscription)
            let bodies = try types.map { try version1Body($0, about: row, subscription, of: app, at: now, db) }
            notification.useVersion1(bodies.first)
            // Version 1 can have a second notification for the same event.
            for (type, body) in zip(types, bodies).dropFirst() {
                var other = payload
                other.notificationType = type.rawValue
                other.subtype = nil
                other.notificationUUID = UUID().uuidString.lowercased()
                var record = NotificationRecord(
                    other, signed: signed, bundleID: bundleID, environment: environment, account: row.account, originalID: row.originalID)
                record.useVersion1(body)
                record.apply(effects.notification)
                further.append(record)
            }
        }
        notification.apply(effects.notification)
        try notification.insert(db)
        for record in further {
            try record.insert(db)
            try events.insertEvent(record.event(.notification, row, at: now, detail: record.title), db)
        }
        if !notification.isHeld { try releaseHeld(in: bundleID, at: now, db) }
        try events.insertEvent(notification.event(.notification, row, at: now, detail: notification.title), db)
        return notification
    }

    /// Returns the part of a notification's `data` that is the same for all notifications of an app.
    private func data(in bundleID: BundleID, _ environment: AppEnvironment) -> NotificationData {
        var data = NotificationData(bundleId: bundleID, environment: environment.rawValue)
        data.appAppleId = appAppleID(of: bundleID)
        return data
    }

    /// Returns the `appAppleId` of an app for a notification of any environment.
    ///
    /// Notifications of the sandbox contain it since 2025, unlike the sandbox's app transactions and responses.
    private func appAppleID(of bundleID: BundleID) -> Int64? {
        context.apps[bundleID]?.row.appAppleID
    }

    /// Returns the types of the version 1 notifications for an event, in order; empty if version 1 has none.
    private func version1Types(
        _ kind: NotificationKind, about row: TransactionRecord, _ record: SubscriptionRecord?
    ) -> [NotificationV1Type] {
        let subscription = record?.subscription
        let isNewest = subscription.map { row.period == $0.period.number } ?? false
        return NotificationV1Type.types(
            kind.type, kind.subtype, isSubscription: subscription != nil,
            disablesAutoRenew: isNewest && subscription?.stateBeforeRevocation?.autoRenews == true)
    }

    /// Returns the JSON body of a version 1 notification.
    private func version1Body(
        _ type: NotificationV1Type, about row: TransactionRecord, _ subscription: SubscriptionRecord?, of app: StoreApp, at now: Timestamp,
        _ db: Database
    ) throws -> String {
        let rows = try receipts.receiptTransactions(of: row.account, row.bundleID, db)
        let receipt = try context.signer.sign(
            receipts.receiptContent(rows, app, row.environment, row.device, row.appVersion, at: now))
        // The database does not yet contain the changed state of `subscription`, so `subscription` replaces the stored state.
        let subscriptions = try SubscriptionRecord.all(of: row.account, in: row.bundleID, db).map { known in
            subscription.flatMap { $0.id == known.id ? $0 : nil } ?? known
        }
        var notification = NotificationV1(
            type,
            environment: row.environment,
            password: app.row.sharedSecret,
            bundleID: row.bundleID,
            bundleVersion: row.appVersion,
            originalTransactionID: row.originalID,
            unifiedReceipt: UnifiedReceipt(
                environment: row.environment,
                latestReceipt: receipt.base64EncodedString(),
                latestReceiptInfo: rows.suffix(UnifiedReceipt.limit).reversed().map { VerifyReceiptPurchase($0, inReceipt: false) },
                pendingRenewalInfo: subscriptions.map {
                    VerifyReceiptRenewal($0.renewalInfo(environment: row.environment, in: context.apps, at: now))
                }
            )
        )
        if let subscription = subscription?.subscription {
            notification.autoRenewProductID = subscription.nextPlan.productID
            notification.autoRenewStatus = subscription.willAutoRenew ? "true" : "false"
            notification.expirationIntent = subscription.expirationIntent.map { String($0.rawValue) }
            notification.autoRenewStatusChangeDate = type == .didChangeRenewalStatus ? DateTriplet(now.wholeSeconds) : nil
        }
        return String(decoding: try WireJSON.encode(notification), as: UTF8.self)
    }

    /// Makes the notifications of an app that a fault holds back due now, because a later notification precedes them.
    private func releaseHeld(in bundleID: BundleID, at now: Timestamp, _ db: Database) throws {
        let sql = "UPDATE notifications SET nextAttempt = ? WHERE isHeld = 1 AND bundleID = ? AND nextAttempt > ?"
        try db.cachedStatement(sql: sql).execute(arguments: [now.milliseconds, bundleID.rawValue, now.milliseconds])
    }
}
