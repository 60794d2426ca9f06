import AppStoreServerAPI
import PurchaseModel
import Synchronization

/// Sends requests to the App Store Server API, and detects a refused API key.
///
/// The App Store answers each request with a wrong key with status 401. A wrong clock of the server leads to status 401 only once, because
/// the client then corrects the clock skew and repeats the request. A key therefore counts as refused after two consecutive responses with
/// status 401.
final class AppStoreKeyMonitor: ServerAPITransport {
    private let transport: any ServerAPITransport
    private let onRefusal: @Sendable () -> Void
    /// The number of consecutive responses with status 401, capped at one more than ``limit``.
    private let refusals = Mutex(0)
    /// The number of consecutive responses with status 401 after which the key counts as refused.
    private static let limit = 2

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests.
    ///   - onRefusal: A closure that the monitor calls when the key begins to count as refused.
    init(_ transport: any ServerAPITransport, onRefusal: @escaping @Sendable () -> Void) {
        self.transport = transport
        self.onRefusal = onRefusal
    }

    /// Whether the App Store refused the key in the latest responses.
    var isRefused: Bool { refusals.withLock { $0 >= Self.limit } }

    func send(_ request: ServerAPITransportRequest) async throws(ServerAPITransportError) -> ServerAPITransportResponse {
        let response = try await transport.send(request)
        // A status from 500 on reports an error of the App Store and leaves the state of the key open.
        guard response.status < 500 else { return response }
        let count = refusals.withLock { refusals in
            refusals = response.status == 401 ? min(refusals + 1, Self.limit + 1) : 0
            return refusals
        }
        if count == Self.limit { onRefusal() }
        return response
    }
}
