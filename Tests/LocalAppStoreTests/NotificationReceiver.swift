import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import Synchronization

/// A developer's server that keeps what it gets and answers as it is told.
final class NotificationReceiver: Sendable {
    private let state = Mutex<(received: [SignedNotification], status: HTTPResponse.Status)>(([], .ok))

    private let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)

    var received: [SignedNotification] { state.withLock { $0.received } }

    func answer(_ status: HTTPResponse.Status) {
        state.withLock { $0.status = status }
    }

    /// Returns when the next notification has come.
    func awaitArrival() async {
        for await _ in arrivals {
            return
        }
    }

    /// Listens on a free port while `body` runs, and gives it the address.
    func listen<Result>(_ body: @Sendable (String) async throws -> Result) async throws -> Result {
        let router = Router()
        router.post("/apple/notifications") { request, _ in
            let data = Data(buffer: try await request.body.collect(upTo: 1 << 20))
            let notification = try WireJSON.decode(NotificationRequest.self, from: data).signedPayload
            let status = self.state.withLock { state in
                state.received.append(notification)
                return state.status
            }
            self.arrival.yield()
            return Response(status: status)
        }
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            logger: Logger(label: "receiver") { _ in SwiftLogNoOpLogHandler() }
        )
        return try await application.test(.live) { client in
            try await body("http://127.0.0.1:\(client.port ?? 0)/apple/notifications")
        }
    }
}
