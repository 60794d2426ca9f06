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
    let storage: any PurchaseStorage

    func addRoutes(to router: some RouterMethods<some RequestContext>) {
        router.mount(ServerEndpoints.notifications, limit: Self.bodyLimit) { body, _, context in
            let notification: VerifiedNotification
            do throws(NotificationRefusal) {
                notification = try await verified(body.signedPayload)
            } catch {
                context.logger.notice("notification refused", metadata: ["reason": "\(error.wireError.message)"])
                throw error
            }
            let outcome = try await storage.apply(notification)
            let payload = notification.notification.payload
            context.logger.info(
                "notification accepted",
                metadata: [
                    "uuid": "\(payload.notificationUUID)", "type": "\(payload.notificationType)", "outcome": "\(outcome.rawValue)",
                ]
            )
            return Empty()
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
