package import Foundation
import FoundationExtras
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
package import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Synchronization

/// A developer's server that records App Store Server Notifications and responds with 200.
package final class ReceivingServer: Sendable {
    private let state = Mutex<[NotificationPayload]>([])
    private let (arrivals, arrival) = AsyncStream.makeStream(of: NotificationPayload.self)

    /// Creates a server that does not listen yet.
    package init() {}

    /// The received notifications, in order.
    package var received: [NotificationPayload] { state.withLock { $0 } }

    /// Waits for the next `count` notifications.
    package func next(_ count: Int) async -> [NotificationPayload] {
        await arrivals.prefix(count).reduce(into: []) { $0.append($1) }
    }

    /// Listens on a free port while `body` runs, and calls `body` with the URL for notifications.
    package func listen(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        let router = Router()
        router.post("/notifications") { [self] request, _ in
            let data = Data(buffer: try await request.body.collect(upTo: 1 << 20))
            let signed = try WireJSON.decode(NotificationRequest.self, from: data).signedPayload
            let payload = try WireJSON.decode(NotificationPayload.self, from: Data(UnverifiedJWS(signed.compact).payload))
            state.withLock { $0.append(payload) }
            arrival.yield(payload)
            return HTTPResponse.Status.ok
        }
        try await Self.listen(router) { try await body("\($0)/notifications") }
    }

    /// Serves a router on a free port while `body` runs, and calls `body` with the URL of the server.
    fileprivate static func listen(_ router: Router<BasicRequestContext>, _ body: (String) async throws -> Void) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: .silent
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            let port = await ports.first { _ in true } ?? 0
            try await body("http://127.0.0.1:\(port)")
            group.cancelAll()
        }
    }

    /// The transaction of a notification, without verification; nil if the notification has none.
    package static func transaction(of payload: NotificationPayload) throws -> TransactionPayload? {
        guard let signed = payload.data?.signedTransactionInfo else { return nil }
        return try WireJSON.decode(TransactionPayload.self, from: Data(UnverifiedJWS(signed.compact).payload))
    }
}

/// A backend that receives webhooks, and answers as a test decides.
package final class WebhookBackend: Sendable {
    /// A received message.
    package struct Message: Sendable {
        /// The header `webhook-id`.
        package let id: String
        /// The request's headers, by their lowercase names.
        package let headers: [String: String]
        package let body: Data
    }

    private let messages = Mutex<[Message]>([])
    private let acknowledges: @Sendable () -> Bool

    /// Creates a backend that does not listen yet.
    ///
    /// - Parameter acknowledges: Returns whether the backend acknowledges the next message.
    package init(acknowledges: @escaping @Sendable () -> Bool = { true }) {
        self.acknowledges = acknowledges
    }

    /// The acknowledged messages, in order.
    package var received: [Message] { messages.withLock { $0 } }

    /// Listens on a free port while `body` runs, and calls `body` with the URL for webhooks.
    package func listen(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        let router = Router()
        router.post("/webhooks") { [self] request, _ in
            let headers = Dictionary(request.headers.map { ($0.name.canonicalName, $0.value) }) { first, _ in first }
            let body = Data(buffer: try await request.body.collect(upTo: 1 << 20))
            let message = Message(id: headers["webhook-id"] ?? "", headers: headers, body: body)
            guard acknowledges() else { return HTTPResponse.Status.serviceUnavailable }
            messages.withLock { $0.append(message) }
            return .ok
        }
        try await ReceivingServer.listen(router) { try await body("\($0)/webhooks") }
    }
}
