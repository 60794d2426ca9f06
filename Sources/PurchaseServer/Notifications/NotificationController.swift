import Foundation
import Hummingbird
import NIOFoundationCompat
import PurchaseModel
import ServerProtocol
import Wire
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
    private let log: NotificationLog

    /// Creates the endpoint.
    ///
    /// - Parameters:
    ///   - apps: The apps of the server.
    ///   - limits: Limits the lines of the log about refused deliveries.
    init(apps: Apps, limits: LimitLog) {
        self.apps = apps
        log = NotificationLog(limits: limits)
    }

    /// Adds the routes to which the App Store sends.
    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.post(RouterPath(ServerEndpoints.notifications.template)) { request, context in
            try await accept(request, for: apps.all.count == 1 ? apps.all.first : nil, or: .appRequired, context)
        }
        router.post(RouterPath(ServerEndpoints.appNotifications.template)) { request, context in
            let id = BundleID(try context.parameter("bundle"))
            return try await accept(request, for: apps[id], or: .unknownApp(id), context)
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

    /// Accepts a delivery for an app, or refuses it with `unknown` if the path names no app.
    private func accept(
        _ request: Request, for app: AppServices?, or unknown: NotificationRefusal, _ context: ServerContext
    ) async throws -> Response {
        var body: Data?
        do {
            guard let app else { throw unknown }
            let received = Data(buffer: try await request.wholeBody(upTo: Self.bodyLimit))
            body = received
            log.accepted(try await app.notifications.accept(received, context.logger), for: app.id, context.logger)
            return Response(.ok, Empty())
        } catch let refusal as any WireRefusal where !(refusal is StorageError) {
            // An error of the storage says nothing about the notification, and has a line of its own.
            log.refused(refusal, body, for: app?.id, context.logger)
            throw refusal
        }
    }
}
