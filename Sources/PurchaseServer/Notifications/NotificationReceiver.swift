import Foundation
import HTTPTypes
import Logging
import PurchaseModel
import PurchaseProof
import PurchaseStorage
import Wire
import WireServer

/// Verifies and records an app's notifications, from deliveries and from the notification history.
struct NotificationReceiver: Sendable {
    /// The time in seconds after a `CONSUMPTION_REQUEST` in which the App Store accepts consumption information.
    private static let consumptionSeconds: Int64 = 12 * 3_600
    /// The maximum number of events in one database transaction, so that a long receipt does not delay other requests.
    private static let batchSize = 200

    struct Accepted: Sendable {
        /// The `notificationUUID`; for a version 1 notification, the digest of the body or the receipt.
        let id: String
        let type: String
        /// Whether the server stored the notification for the first time.
        let isNew: Bool
        /// Whether this version of the server knows the type, the subtype and the subject of the notification.
        var isUnderstood = true
    }

    let app: BundleID
    let storage: any PurchaseStorage
    let signedData: SignedDataVerifier
    let unknownNotifications: SignedDataVerifier
    let receipts: ReceiptAuthority
    let recorder: PurchaseRecorder
    /// The app's shared secret, which version 1 notifications must contain; nil for an app without a shared secret.
    let sharedSecret: String?
    /// The customers' consent to sharing consumption information.
    let consent: ConsumptionConsent
    let clock: any WallClock
    /// Limits the rate at which refused notifications are stored as samples, because anyone can send a request.
    let samples = TokenBucketLimiter<Int>(RequestRate(perSecond: 1, burst: Double(RefusedNotification.limit)))
    /// Starts the next reconciliation early, after a version 1 notification, an outage, or the use of a renewal leeway.
    let wakeup = Wakeup()

    init(_ app: AppConfiguration, of server: ServerResources, _ verifiers: AppVerifiers, _ recorder: PurchaseRecorder) {
        self.app = app.bundleID
        storage = server.storage
        signedData = verifiers.signedData
        unknownNotifications = verifiers.unknownNotifications
        receipts = verifiers.receipts
        self.recorder = recorder
        sharedSecret = app.sharedSecret
        consent = app.appStoreServerAPI == nil ? .off : app.consumption.consent
        clock = server.clock
    }

    // MARK: Deliveries

    /// Verifies and records the body of a delivery.
    ///
    /// A refused body is stored as a sample. A refusal does not reserve the UUID, so the server accepts a valid notification with the same
    /// UUID later.
    ///
    /// - Throws: ``NotificationRefusal``, ``BodyRefusal``, or `StorageError`.
    func accept(_ body: Data, _ logger: Logger) async throws -> Accepted {
        var password: String?
        do {
            switch try NotificationBody(body: body) {
            case .signed(let signed):
                let notification = try await verified(signed)
                let payload = notification.notification.payload
                let isNew = try await record(notification) != nil
                return Accepted(
                    id: payload.notificationUUID, type: payload.notificationType, isNew: isNew, isUnderstood: payload.isUnderstood)
            case .unsigned(let notification):
                password = notification.password
                return try await accept(notification, in: body)
            }
        } catch let refusal as any WireRefusal where refusal.status.kind == .clientError {
            await store(refusal, of: body, removing: [password, sharedSecret].compactMap { $0 }, logger)
            throw refusal
        }
    }

    private func store(_ refusal: any WireRefusal, of body: Data, removing secrets: [String], _ logger: Logger) async {
        guard samples.count(0, at: clock.now) == nil else { return }
        let refused = RefusedNotification(
            body, removing: secrets, date: clock.now, code: refusal.wireError.code, message: refusal.wireError.message)
        do {
            try await storage.write(app) { try $0.insert(refused) }
        } catch {
            logger.warning("refused notification not stored", metadata: ["error": "\(error)"])
        }
    }

    // MARK: Version 2

    /// Verifies a notification and the signed data in it.
    func verified(_ signed: SignedNotification) async throws(NotificationRefusal) -> VerifiedNotification {
        let notification: VerifiedNotification
        do throws(VerificationFailure) {
            do throws(VerificationFailure) {
                notification = try await signedData.verify(signed)
            } catch {
                guard error.isOfNotificationWithoutApp else { throw error }
                notification = try await unknownNotifications.verify(signed)
            }
        } catch {
            throw .unverified(error)
        }
        if let transaction = notification.transaction, let renewal = notification.renewalInfo,
            transaction.payload.originalTransactionId != renewal.payload.originalTransactionId
        {
            throw .mismatched
        }
        return notification
    }

    /// Stores a notification, and records its transaction; returns nil for a notification that is already stored.
    func record(_ notification: VerifiedNotification) async throws -> ReceivedNotification? {
        let record = ReceivedNotification(notification, receivedAt: clock.now)
        let event = notification.transaction.flatMap { VerifiedEvent($0, notification.renewalInfo, source: record.kind) }
        let request = consumptionRequest(for: notification)
        let (isUnderstood, unclaimed) = (notification.notification.payload.isUnderstood, notification.notification.payload.unclaimInfo)
        return try await storage.write(app) { [recorder] records in
            guard try records.insert(record) else { return nil }
            if !isUnderstood { try records.insert(unknown: record) }
            if let event { _ = try recorder.record(event, in: records) }
            if let unclaimed { try records.releaseUnclaimed(unclaimed, at: record.receivedAt) }
            if let request { try records.put(request) }
            return record
        }
    }

    /// Returns the request to the App Store for a `CONSUMPTION_REQUEST`; nil for another type, without consent, or after the deadline.
    private func consumptionRequest(for notification: VerifiedNotification) -> AppStoreRequest? {
        let (payload, now) = (notification.notification.payload, clock.now)
        guard consent != .off, payload.type == .consumptionRequest, let transaction = notification.transaction?.payload else { return nil }
        let expires = payload.signedDate.adding(seconds: Self.consumptionSeconds)
        guard now < expires else { return nil }
        return AppStoreRequest(
            .consumption, purchase: transaction.originalTransactionId, transactionID: transaction.transactionId,
            key: payload.notificationUUID, expiresAt: expires, dueAt: now)
    }

    // MARK: Version 1

    /// Records the purchases in the app receipt of a version 1 notification, and schedules a look-up of the notification's purchase.
    ///
    /// Without a shared secret, anyone can send a notification. For an app without a shared secret, the server requires a receipt,
    /// identifies the notification by the receipt's signed content, and looks up only purchases in the receipt. Forged notifications use no
    /// storage and cause no requests to the App Store.
    private func accept(_ notification: UnsignedNotification, in body: Data) async throws -> Accepted {
        let hasSecret = sharedSecret?.isEmpty == false
        if hasSecret, let sharedSecret, !notification.contains(secret: sharedSecret) { throw NotificationRefusal.secret }
        guard notification.bundleID ?? app == app else { throw NotificationRefusal.foreignApp }
        let receipt = try notification.receipt
        guard hasSecret || receipt != nil else { throw NotificationRefusal.noEvidence }
        var key = UnsignedNotification.key(of: body)
        if hasSecret, try await isStored(key) { return Accepted(id: key, type: notification.type, isNew: false) }
        // Verify locally first: without a shared secret, a receipt that is already recorded must not cause requests to the App Store.
        let verified = try await verifiedLocally(receipt)
        if !hasSecret, let digest = verified?.contentDigest {
            key = UnsignedNotification.key(of: Data(digest))
            if try await isStored(key) { return Accepted(id: key, type: notification.type, isNew: false) }
        }
        let events = try await confirmedEvents(in: verified)
        for start in stride(from: 0, to: events.count, by: Self.batchSize) {
            let batch = events[start..<min(start + Self.batchSize, events.count)]
            try await storage.write(app) { [recorder] records in
                for event in batch { _ = try recorder.record(event, in: records) }
            }
        }
        // Store the notification last, so that the server processes the repetition of an interrupted delivery completely.
        let purchase = notification.originalTransactionID.flatMap { id in
            hasSecret || events.contains { $0.event.transaction.originalTransactionId == id } ? id : nil
        }
        let record = ReceivedNotification(
            uuid: key, kind: "V1 \(notification.type)", signedDate: clock.now, receivedAt: clock.now,
            signedNotification: nil, hasTransaction: !events.isEmpty)
        let isNew = try await storage.write(app) { records in
            guard try records.insert(record) else { return false }
            // Also look up an unknown purchase, because this notification may be the first event of the purchase.
            if let purchase, IdentifierText.isValid(purchase.rawValue), !purchase.rawValue.isEmpty {
                let asked = try records.lookup(of: purchase)?.askedAt
                try records.put(PurchaseLookup(purchase: purchase, dueAt: record.receivedAt, askedAt: asked))
            }
            return true
        }
        if isNew { wakeup.wake() }
        return Accepted(id: key, type: notification.type, isNew: isNew)
    }

    private func isStored(_ key: String) async throws -> Bool {
        guard try await storage.readCommitted(app, { try $0.isStored(notification: key) }) else { return false }
        // Repeat the check in a write, which waits for the replication of the row. An acknowledged notification is never sent again, so the
        // acknowledgment must not depend on a row whose replication was canceled.
        return try await storage.write(app) { try $0.isStored(notification: key) }
    }

    private func verifiedLocally(_ receipt: Data?) async throws(NotificationRefusal) -> VerifiedReceipt? {
        guard let receipt else { return nil }
        do throws(VerificationFailure) { return try await receipts.verifier.verify([UInt8](receipt)) } catch { throw .unverified(error) }
    }

    /// Confirms a receipt with the App Store as the configuration requires, and returns its purchases.
    private func confirmedEvents(in receipt: VerifiedReceipt?) async throws(NotificationRefusal) -> [VerifiedEvent] {
        guard let receipt else { return [] }
        do throws(VerificationFailure) { return try await receipts.confirm(receipt).events } catch { throw .unverified(error) }
    }
}

extension VerificationFailure {
    /// Whether a notification is refused because its subject states no app; a nested transaction without an app is another failure.
    fileprivate var isOfNotificationWithoutApp: Bool {
        guard case .refused(let refusal) = self, case .missingMember = refusal.reason else { return false }
        return refusal.place == "payload.bundleId"
    }
}
