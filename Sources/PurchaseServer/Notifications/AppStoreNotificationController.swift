import Foundation
import Hummingbird
import NIOFoundationCompat
import PurchaseModel
import PurchaseStorage
import ServerProtocol
import Wire
import WireServer

/// The endpoints for App Store Server Notifications of version 2 and of the unsigned version 1.
///
/// Status 200 confirms that the notification is durably stored. Status 422 refuses an invalid notification. Status 503 requests the
/// notification again. Status 404 means that the path names no app of the server.
struct AppStoreNotificationController: Sendable {
    private static let bodyLimit = 1 << 20

    let apps: Apps
    private let log: NotificationLog
    private let metrics: ServerMetrics

    /// Creates the endpoints of all apps of a server.
    ///
    /// - Parameters:
    ///   - apps: The apps.
    ///   - limits: The limit for log entries about refused deliveries.
    ///   - metrics: Counts the deliveries.
    init(apps: Apps, limits: LimitLog, metrics: ServerMetrics) {
        self.apps = apps
        self.metrics = metrics
        log = NotificationLog(limits: limits)
    }

    func addRoutes(to router: some RouterMethods<ServerContext>) {
        // Add the routes without endpoints, because the server stores a refused body unchanged.
        router.post(RouterPath(ServerEndpoints.notifications.template)) { request, context in
            try await accept(request, for: apps.all.count == 1 ? apps.all.first : nil, or: .appRequired, context)
        }
        router.post(RouterPath(ServerEndpoints.appNotifications.template)) { request, context in
            let id = BundleID(try context.parameter("bundle"))
            return try await accept(request, for: apps[id], or: .unknownApp(id), context)
        }
    }

    func addKeyedRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(ServerEndpoints.refusedNotifications) { _, _, context in
            let app = try context.caller(.administer).app
            return try await app.storage.read(app.id) { records in
                let refused = try records.refusedNotifications(limit: RefusedNotification.limit)
                return RefusedNotificationsReply(
                    notifications: refused.map {
                        RefusedNotificationsReply.Sample(date: $0.date, code: $0.code, message: $0.message, size: $0.size, head: $0.head)
                    })
            }
        }
        router.mount(ServerEndpoints.unknownNotifications) { _, _, context in
            let app = try context.caller(.administer).app
            let unknown = try await app.storage.read(app.id) {
                try $0.unknownNotifications(limit: UnknownNotificationsReply.limit)
            }
            return UnknownNotificationsReply(
                notifications: unknown.map {
                    UnknownNotificationsReply.Notification(
                        uuid: $0.uuid, kind: $0.kind, signedDate: $0.signedDate, receivedAt: $0.receivedAt,
                        hasTransaction: $0.hasTransaction, signedPayload: $0.signedNotification)
                })
        }
    }

    /// Accepts a delivery for an app, or refuses the delivery with `unknown` if the path names no app.
    private func accept(
        _ request: Request, for app: AppServices?, or unknown: NotificationRefusal, _ context: ServerContext
    ) async throws -> Response {
        var body: Data?
        do {
            guard let app else { throw unknown }
            let received = Data(buffer: try await request.wholeBody(upTo: Self.bodyLimit))
            body = received
            let accepted = try await app.notifications.accept(received, context.logger)
            metrics.notification(NotificationOutcome(accepted), of: app.id)
            log.accepted(accepted, for: app.id, context.logger)
            return Response(.ok, Empty())
        } catch let refusal as any WireRefusal where !(refusal is StorageError) {
            let outcome: NotificationOutcome = refusal.status.kind == .clientError ? .refused : .failed
            if let app { metrics.notification(outcome, of: app.id) }
            // Do not log storage errors here, because the error middleware logs them.
            log.refused(refusal, body, for: app?.id, context.logger)
            throw refusal
        } catch {
            if let app { metrics.notification(.failed, of: app.id) }
            throw error
        }
    }
}
