import Hummingbird
import Logging
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import WireServer

/// The endpoint that accepts App Store Server Notifications.
///
/// It responds with 200 after it has stored the notification durably, with 422 to an invalid notification, and with 503 if the App
/// Store should send the notification again.
struct NotificationController: Sendable {
    private static let bodyLimit = 1 << 20

    let verifier: SignedDataVerifier
    let app: BundleID
    let storage: any PurchaseStorage
    let recorder: PurchaseRecorder
    let clock: any WallClock

    func addRoutes(to router: some RouterMethods<some RequestContext>) {
        router.mount(ServerEndpoints.notifications, limit: Self.bodyLimit) { body, _, context in
            let notification: VerifiedNotification
            do throws(NotificationRefusal) {
                notification = try await verified(body.signedPayload)
            } catch {
                context.logger.notice("notification refused", metadata: ["reason": "\(error.wireError.message)"])
                throw error
            }
            let isNew = try await record(notification)
            let payload = notification.notification.payload
            context.logger.info(
                "notification accepted",
                metadata: [
                    "uuid": "\(payload.notificationUUID)", "type": "\(payload.notificationType)", "new": "\(isNew)",
                ]
            )
            return Empty()
        }
    }

    /// Stores a notification, and records the transaction in it; returns false for a notification that was stored before.
    private func record(_ notification: VerifiedNotification) async throws -> Bool {
        let record = NotificationRecord(notification, receivedAt: clock.now)
        let event = notification.transaction.flatMap { VerifiedEvent($0, notification.renewalInfo, source: record.kind) }
        return try await storage.write(app) { [recorder] records in
            guard try records.insert(record) else { return false }
            if let event { _ = try recorder.record(event, in: records) }
            return true
        }
    }

    private func verified(_ signed: SignedNotification) async throws(NotificationRefusal) -> VerifiedNotification {
        let notification: VerifiedNotification
        do {
            notification = try await verifier.verify(signed)
        } catch {
            throw .unverified(error)
        }
        if let transaction = notification.transaction, let renewal = notification.renewalInfo,
            transaction.payload.originalTransactionId != renewal.payload.originalTransactionId
        {
            throw .mixed
        }
        return notification
    }
}
