import AppStoreServerAPI
import PurchaseModel
import Synchronization

/// Sends requests to the App Store, and notices whether it refuses the app's key.
///
/// A request with a wrong key is answered with 401, whatever it asks. A clock that is wrong has the same effect once, and the client corrects
/// it and repeats the request.
final class AppStoreKeyMonitor: ServerAPITransport {
    private let transport: any ServerAPITransport
    private let onRefusal: @Sendable () -> Void
    private let isKeyRefused = Mutex(false)

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests.
    ///   - onRefusal: A closure that is called when the App Store refuses the key after an answer in which it did not.
    init(_ transport: any ServerAPITransport, onRefusal: @escaping @Sendable () -> Void) {
        self.transport = transport
        self.onRefusal = onRefusal
    }

    /// Whether the App Store refused the key in its last answer.
    var isRefused: Bool { isKeyRefused.withLock { $0 } }

    func send(_ request: ServerAPITransportRequest) async throws(ServerAPITransportError) -> ServerAPITransportResponse {
        let response = try await transport.send(request)
        // An error of the App Store's own says nothing about the key.
        guard response.status < 500 else { return response }
        let isRefused = response.status == 401
        let wasRefused = isKeyRefused.withLock { known in
            defer { known = isRefused }
            return known
        }
        if isRefused, !wasRefused { onRefusal() }
        return response
    }
}
