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

    let apps: Apps
    let clock: any WallClock

    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(ServerEndpoints.notifications, limit: Self.bodyLimit) { body, _, context in
            guard let app = apps.all.first, apps.all.count == 1 else { throw NotificationRefusal.appRequired }
            return try await accept(body.signedPayload, for: app, context)
        }
        router.mount(ServerEndpoints.appNotifications, limit: Self.bodyLimit) { body, _, context in
            let id = BundleID(try context.parameter("bundle"))
            guard let app = apps[id] else { throw NotificationRefusal.unknownApp(id) }
            return try await accept(body.signedPayload, for: app, context)
        }
    }

    private func accept(_ signed: SignedNotification, for app: AppServices, _ context: ServerContext) async throws -> Empty {
        let notification: VerifiedNotification
        do throws(NotificationRefusal) {
            notification = try await verified(signed, for: app)
        } catch {
            context.logger.notice("notification refused", metadata: ["reason": "\(error.wireError.message)"])
            throw error
        }
        let isNew = try await record(notification, for: app)
        let payload = notification.notification.payload
        context.logger.info(
            "notification accepted",
            metadata: ["uuid": "\(payload.notificationUUID)", "type": "\(payload.notificationType)", "new": "\(isNew)"])
        return Empty()
    }

    /// Stores a notification, and records the transaction in it; returns false for a notification that was stored before.
    private func record(_ notification: VerifiedNotification, for app: AppServices) async throws -> Bool {
        let record = NotificationRecord(notification, receivedAt: clock.now)
        let event = notification.transaction.flatMap { VerifiedEvent($0, notification.renewalInfo, source: record.kind) }
        return try await app.storage.write(app.id) { [recorder = app.recorder] records in
            guard try records.insert(record) else { return false }
            if let event { _ = try recorder.record(event, in: records) }
            return true
        }
    }

    private func verified(_ signed: SignedNotification, for app: AppServices) async throws(NotificationRefusal) -> VerifiedNotification {
        let notification: VerifiedNotification
        do {
            notification = try await app.signedData.verify(signed)
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
}
