import Foundation
import FoundationExtras
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseTestSupport
import Synchronization

/// A developer's server that records notifications and answers with a configured status.
final class NotificationReceiver: Sendable {
    private struct State {
        var bodies: [String] = []
        var received: [SignedNotification] = []
        var status = HTTPResponse.Status.ok
        var location: String?
        var address = ""
        /// The number of notifications to receive before the first reply.
        var requiredCount = 1
    }

    private let state = Mutex(State())

    private let (signals, signal) = AsyncStream.makeStream(of: Void.self)

    var received: [SignedNotification] { state.withLock { $0.received } }

    /// The bodies of all received requests.
    var bodies: [String] { state.withLock { $0.bodies } }

    func answer(_ status: HTTPResponse.Status, location: String? = nil) {
        state.withLock { ($0.status, $0.location) = (status, location) }
    }

    /// Withholds all replies until `count` notifications were received.
    func holdReplies(until count: Int) {
        state.withLock { $0.requiredCount = count }
    }

    /// Waits until the next notification is received.
    func waitForNext() async {
        for await _ in signals {
            return
        }
    }

    /// Listens on a free port while `body` runs, and passes the URL to `body`.
    func listen<Result>(_ body: @Sendable (String) async throws -> Result) async throws -> Result {
        let router = Router()
        router.post("/apple/notifications") { request, _ in
            let data = Data(buffer: try await request.body.collect(upTo: 1 << 20))
            let notification = try? WireJSON.decode(NotificationRequest.self, from: data).signedPayload
            self.state.withLock { state in
                state.bodies.append(String(decoding: data, as: UTF8.self))
                if let notification { state.received.append(notification) }
            }
            self.signal.yield()
            try await eventually { self.state.withLock { $0.bodies.count >= $0.requiredCount } }
            // The body of a refusal may look like the result of a delivery.
            let body = ResponseBody(byteBuffer: ByteBuffer(string: #"{"sendAttemptResult":"SUCCESS"}"#))
            var response = self.state.withLock {
                Response(status: $0.status, headers: $0.location.map { [.location: $0] } ?? [:], body: body)
            }
            if response.headers[.location] == "self" { response.headers[.location] = self.state.withLock { $0.address } }
            return response
        }
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            logger: .silent
        )
        return try await application.test(.live) { client in
            let address = "http://127.0.0.1:\(client.port ?? 0)/apple/notifications"
            self.state.withLock { $0.address = address }
            return try await body(address)
        }
    }
}
