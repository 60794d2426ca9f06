import Foundation
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
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: .silent
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            let port = await ports.first { _ in true } ?? 0
            try await body("http://127.0.0.1:\(port)/notifications")
            group.cancelAll()
        }
    }

    /// The transaction of a notification, without verification; nil if the notification has none.
    package static func transaction(of payload: NotificationPayload) throws -> TransactionPayload? {
        guard let signed = payload.data?.signedTransactionInfo else { return nil }
        return try WireJSON.decode(TransactionPayload.self, from: Data(UnverifiedJWS(signed.compact).payload))
    }
}
