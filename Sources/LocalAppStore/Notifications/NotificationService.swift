import Foundation
import FoundationExtras
import GRDB
import PurchaseModel
import PurchaseProof
import StoreProtocol

/// The service that signs App Store Server Notifications and lists them; ``NotificationSender`` sends them.
struct NotificationService: Sendable {
    let context: StoreContext

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
            data.signedTransactionInfo = try context.signer.sign(row, at: now)
            data.signedRenewalInfo = try subscription.map {
                try context.signer.sign(context.subscriptions.renewalInfo($0, environment: row.environment, at: now))
            }
            data.status = subscription?.subscription.status.rawValue
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
            summary.appAppleId = appAppleID(of: bundleID)
            return .summary(summary)
        }
    }

    /// Signs a notification about any subject and saves it for delivery, unless the context sends no notifications.
    ///
    /// - Parameters:
    ///   - row: The transaction that the notification is about; nil if it is not about a transaction.
    ///   - subject: A closure that returns the payload's data; it runs with the signing faults that are enabled for the notification.
    @discardableResult
    func post(
        _ notice: StoreNotice, in bundleID: BundleID, _ environment: AppEnvironment, about row: TransactionRecord? = nil,
        _ subscription: SubscriptionRecord? = nil, at now: Timestamp, _ db: Database, subject: () throws -> NotificationSubject
    ) throws -> NotificationRecord {
        let effects =
            try context.sendsNotifications
            ? context.faults.applyNotificationFaults(in: bundleID, about: row, at: now, db) : CallEffects()
        // The signing faults of the current request do not affect the notification; only faults that match the notification do.
        let (payload, signed) = try SigningEffects.$current.withValue(effects.signing) {
            let payload = NotificationPayload(
                notificationType: notice.type.rawValue,
                subtype: notice.subtype?.rawValue,
                notificationUUID: UUID().uuidString.lowercased(),
                signedDate: now,
                subject: try subject()
            )
            return (payload, try context.signer.sign(payload))
        }
        var notification = NotificationRecord(
            payload, signed: signed, bundleID: bundleID, environment: environment, account: row?.account, originalID: row?.originalID
        )
        guard context.sendsNotifications else { return notification }
        var further: [NotificationRecord] = []
        if let row, let app = context.apps[bundleID], app.row.notificationVersion == 1 {
            let types = version1Types(notice, about: row, subscription)
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
            try context.events.insertEvent(record.event(.notification, row, at: now, detail: record.title), db)
        }
        if !notification.isHeld { try releaseHeld(in: bundleID, at: now, db) }
        try context.events.insertEvent(notification.event(.notification, row, at: now, detail: notification.title), db)
        return notification
    }

    /// Returns the part of a notification's `data` that is the same for all notifications of an app.
    func data(in bundleID: BundleID, _ environment: AppEnvironment) -> NotificationData {
        var data = NotificationData(bundleId: bundleID, environment: environment.rawValue)
        data.appAppleId = appAppleID(of: bundleID)
        return data
    }

    /// Returns the `appAppleId` of an app for a notification of any environment.
    ///
    /// Notifications of the sandbox contain it since 2025, unlike the sandbox's app transactions and responses.
    func appAppleID(of bundleID: BundleID) -> Int64? {
        context.apps[bundleID]?.row.appAppleID
    }

    /// Returns the newest notifications with the states of their delivery, oldest first, and without their payloads.
    func deliveries() async throws -> DeliveriesReply {
        try await context.read { db in
            let sql = """
                SELECT n.uuid, n.type, n.subtype, n.attempts, n.isDelivered, n.signedDate, n.account, json_extract(n.sendAttempts, '$[#-1]') AS lastAttempt,
                    CASE n.environment WHEN 'Production' THEN a.productionURL ELSE a.sandboxURL END IS NOT NULL AS hasAddress
                FROM notifications n LEFT JOIN apps a ON a.bundleID = n.bundleID ORDER BY n.rowid DESC LIMIT ?
                """
            let newestFirst = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [DeliveriesReply.limit]).map { row in
                var delivery = NotificationDelivery(
                    notificationUUID: row["uuid"],
                    type: row["type"],
                    subtype: row["subtype"],
                    attempts: row["attempts"],
                    delivered: row["isDelivered"],
                    hasAddress: row["hasAddress"],
                    signedDate: (row["signedDate"] as Int64?).map { Timestamp(milliseconds: $0) },
                    account: (row["account"] as String?).map { AccountID($0) }
                )
                let lastAttempt = (row["lastAttempt"] as String?).map { Data($0.utf8) }
                delivery.lastAttempt = try lastAttempt.map { try WireJSON.decode(DeliveryAttempt.self, from: $0) }
                return delivery
            }
            return DeliveriesReply(deliveries: newestFirst.reversed())
        }
    }

    /// Returns the types of the version 1 notifications for an event, in order; empty if version 1 has none.
    private func version1Types(
        _ notice: StoreNotice, about row: TransactionRecord, _ record: SubscriptionRecord?
    ) -> [NotificationV1Type] {
        let subscription = record?.subscription
        let isNewest = subscription.map { row.period == $0.period.number } ?? false
        return NotificationV1Type.types(
            notice.type, notice.subtype, isSubscription: subscription != nil,
            disablesAutoRenew: isNewest && subscription?.stateBeforeRevocation?.autoRenews == true)
    }

    /// Returns the JSON body of a version 1 notification.
    private func version1Body(
        _ type: NotificationV1Type, about row: TransactionRecord, _ subscription: SubscriptionRecord?, of app: StoreApp, at now: Timestamp,
        _ db: Database
    ) throws -> String {
        let rows = try context.receipts.receiptTransactions(of: row.account, row.bundleID, db)
        let receipt = try context.signer.sign(
            context.receipts.receiptContent(rows, app, row.environment, row.device, row.appVersion, at: now))
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
                    VerifyReceiptRenewal(context.subscriptions.renewalInfo($0, environment: row.environment, at: now))
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

    /// Returns the notifications that are due and whose app has a notification URL, after a position in the outbox.
    func outbox(after position: OutboxPosition, at now: Timestamp, limit: Int) async throws -> [(
        row: NotificationRecord, position: OutboxPosition
    )] {
        try await context.read { db in
            let number = "CASE n.isHeld WHEN 1 THEN -n.rowid ELSE n.rowid END"
            let sql = """
                SELECT n.*, \(number) AS outboxNumber FROM notifications n JOIN apps a ON a.bundleID = n.bundleID
                WHERE n.nextAttempt <= ? AND (n.isHeld, \(number)) > (?, ?)
                    AND CASE n.environment WHEN 'Production' THEN a.productionURL ELSE a.sandboxURL END IS NOT NULL
                ORDER BY n.isHeld, outboxNumber LIMIT ?
                """
            return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [now.milliseconds, position.isHeld, position.number, limit])
                .map {
                    row in
                    (try NotificationRecord(row: row), OutboxPosition(isHeld: row["isHeld"], number: row["outboxNumber"]))
                }
        }
    }

    /// Makes the notifications of an app that a fault holds back due now, because a later notification precedes them.
    func releaseHeld(in bundleID: BundleID, at now: Timestamp, _ db: Database) throws {
        let sql = "UPDATE notifications SET nextAttempt = ? WHERE isHeld = 1 AND bundleID = ? AND nextAttempt > ?"
        try db.cachedStatement(sql: sql).execute(arguments: [now.milliseconds, bundleID.rawValue, now.milliseconds])
    }

    /// Returns all details of a notification, with its decoded payloads and its send attempts.
    ///
    /// - Throws: ``NotificationError/unknown`` if the store has no notification with the UUID.
    func details(of uuid: String) async throws -> NotificationDetails {
        let row = try await context.read { db in try NotificationRecord.fetchOne(db, key: uuid.lowercased()) }
        guard let row else { throw NotificationError.unknown }
        let payload = Self.payload(of: row.signedPayload.compact)
        var details = NotificationDetails(
            notificationUUID: row.uuid, type: row.type, subtype: row.subtype, version: row.version, bundleID: row.bundleID,
            environment: row.environment, signedDate: row.signedDate, payload: payload ?? JSONText(Data("null".utf8))
        )
        details.account = row.account
        details.body = row.sentBody
        details.sendAttempts = row.delivery.attempts
        details.delivered = row.delivery.state == .delivered
        details.nextAttempt = row.delivery.nextAttempt
        guard let nested = payload.flatMap({ try? WireJSON.decode(NotificationPayload.self, from: $0.data) }) else { return details }
        details.transaction = (nested.data?.signedTransactionInfo?.compact).flatMap(Self.payload(of:))
        details.renewalInfo = (nested.data?.signedRenewalInfo?.compact).flatMap(Self.payload(of:))
        if case .appData(let app) = nested.subject {
            details.appTransaction = (app.signedAppTransactionInfo?.compact).flatMap(Self.payload(of:))
        }
        return details
    }

    /// Returns the payload of a JWS for display; nil if the text is not a JWS.
    ///
    /// The signature is not verified, because the store signed the JWS itself, and a fault may have made the signature invalid.
    private static func payload(of compact: String) -> JSONText? {
        (try? UnverifiedJWS(compact)).map { JSONText(Data($0.payload)) }
    }

    /// Schedules one more attempt to send a notification, even if it is delivered or abandoned.
    ///
    /// - Throws: ``NotificationError/unknown`` if the store has no notification with the UUID.
    func resend(_ uuid: String) async throws {
        try await context.transaction { db, now in
            guard var row = try NotificationRecord.fetchOne(db, key: uuid.lowercased()) else { throw NotificationError.unknown }
            row.scheduleRetry(at: now)
            try row.update(db)
        }
    }
}

/// The position of a notification in the outbox, the ordered list of notifications to be sent.
///
/// Notifications that a fault holds back follow all others, and the newest of them is the first.
struct OutboxPosition: Hashable, Sendable {
    static let beginning = OutboxPosition(isHeld: false, number: 0)

    var isHeld: Bool
    /// The number by which notifications with the same ``isHeld`` are sorted.
    var number: Int64
}
