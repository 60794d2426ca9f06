import AppStoreServerAPI
import PurchaseModel
import Synchronization

/// Sends requests to the App Store, and notices whether it refuses the app's key.
///
/// A request with a wrong key is answered with 401, whatever it asks. A clock that is wrong has the same effect once, and the client corrects
/// it and repeats the request; so a key counts as refused after two such answers in a row.
final class AppStoreKeyMonitor: ServerAPITransport {
    private let transport: any ServerAPITransport
    private let onRefusal: @Sendable () -> Void
    /// The number of the last answers that refused the key, at most one more than ``limit``.
    private let refusals = Mutex(0)
    /// The number of answers in a row after which the key counts as refused.
    private static let limit = 2

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests.
    ///   - onRefusal: A closure that is called when the key begins to count as refused.
    init(_ transport: any ServerAPITransport, onRefusal: @escaping @Sendable () -> Void) {
        self.transport = transport
        self.onRefusal = onRefusal
    }

    /// Whether the App Store refused the key in its last answers.
    var isRefused: Bool { refusals.withLock { $0 >= Self.limit } }

    func send(_ request: ServerAPITransportRequest) async throws(ServerAPITransportError) -> ServerAPITransportResponse {
        let response = try await transport.send(request)
        // An error of the App Store's own says nothing about the key.
        guard response.status < 500 else { return response }
        let count = refusals.withLock { refusals in
            refusals = response.status == 401 ? min(refusals + 1, Self.limit + 1) : 0
            return refusals
        }
        if count == Self.limit { onRefusal() }
        return response
    }
}
