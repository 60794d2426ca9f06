import Logging
import PurchaseModel
import PurchaseProof
import PurchaseStorage
import ServerProtocol
import ServiceLifecycle

/// Applies the notifications that an earlier version of the server did not understand, when a version that understands them starts.
struct UnknownNotificationService: Service {
    /// The maximum number of notifications of an app in one pass.
    private static let limit = 1_000

    let receivers: [NotificationReceiver]
    let logger: Logger

    func run() async throws {
        for receiver in receivers {
            do {
                let count = try await receiver.applyUnderstood(limit: Self.limit)
                guard count > 0 else { continue }
                logger.notice(
                    "notifications applied that an earlier version stored", metadata: ["app": "\(receiver.app)", "count": "\(count)"])
            } catch {
                logger.warning("unknown notifications not applied", metadata: ["app": "\(receiver.app)", "error": "\(error)"])
            }
        }
        // A service that returns would end the group of services.
        try? await gracefulShutdown()
    }
}

extension NotificationReceiver {
    /// Records the stored notifications that this version of the server understands, and removes them from the list of unknown ones.
    ///
    /// A notification whose signature can't be verified at present stays in the list.
    ///
    /// - Parameter limit: The maximum number of notifications, newest first.
    /// - Returns: The number of notifications that were removed from the list.
    func applyUnderstood(limit: Int) async throws -> Int {
        var count = 0
        for stored in try await storage.read(app, { try $0.unknownNotifications(limit: limit) }) {
            guard let signed = stored.signedNotification, let notification = try? await verified(signed),
                notification.notification.payload.isUnderstood
            else { continue }
            let event = notification.transaction.flatMap { VerifiedEvent($0, notification.renewalInfo, source: stored.kind) }
            let unclaimed = notification.notification.payload.unclaimInfo
            try await FeedContext.$cause.withValue(.notification) {
                try await storage.write(app) { [recorder, clock] records in
                    if let event { _ = try recorder.record(event, in: records) }
                    if let unclaimed { try records.releaseUnclaimed(unclaimed, at: clock.now) }
                    try records.removeUnknown(notification: stored.uuid)
                }
            }
            count += 1
        }
        return count
    }
}
