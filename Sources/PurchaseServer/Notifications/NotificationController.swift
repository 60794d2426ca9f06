import Foundation
import Hummingbird
import Logging
import NIOFoundationCompat
import PurchaseModel
import PurchaseProtocol
import WireServer

/// The endpoint that accepts App Store Server Notifications, of version 2 and of version 1, which is not signed.
///
/// It responds with 200 after it has stored the notification durably, with 422 to an invalid notification, and with 503 if the App
/// Store should send the notification again.
struct NotificationController: Sendable {
    /// The refused notifications of an app.
    struct RefusedReply: Codable, Hashable, Sendable {
        /// The samples, newest first.
        var notifications: [RefusedNotification]
    }

    /// Lists the newest refused notifications, for the operator.
    static let refused = Endpoint<Empty, RefusedReply>(.get, "/v1/notifications/refused")

    private static let bodyLimit = 1 << 20

    let apps: Apps

    /// Adds the routes to which the App Store sends.
    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.post(RouterPath(ServerEndpoints.notifications.template)) { request, context in
            guard let app = apps.all.first, apps.all.count == 1 else { throw NotificationRefusal.appRequired }
            return try await accept(request, for: app, context)
        }
        router.post(RouterPath(ServerEndpoints.appNotifications.template)) { request, context in
            let id = BundleID(try context.parameter("bundle"))
            guard let app = apps[id] else { throw NotificationRefusal.unknownApp(id) }
            return try await accept(request, for: app, context)
        }
    }

    /// Adds the routes that require a key.
    func addKeyedRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(Self.refused) { _, _, context in
            let app = try context.caller(.administer).app
            return try await app.storage.read(app.id) { records in
                RefusedReply(notifications: try records.refusedNotifications(limit: RefusedNotification.limit))
            }
        }
    }

    private func accept(_ request: Request, for app: AppServices, _ context: ServerContext) async throws -> Response {
        let body = Data(buffer: try await request.wholeBody(upTo: Self.bodyLimit))
        let accepted = try await app.notifications.accept(body, context.logger)
        context.logger.info(
            "notification accepted",
            metadata: ["uuid": "\(accepted.id)", "type": "\(accepted.type)", "new": "\(accepted.isNew)"])
        return Response(.ok, Empty())
    }
}
