import AppStoreServerAPI
import PurchaseModel
import Synchronization

/// Sends requests to the App Store, and notices whether it refuses the app's key.
///
/// A request with a wrong key is answered with 401, whatever it asks. A clock that is wrong has the same effect once, and the client corrects
/// it and repeats the request.
final class AppStoreKeyMonitor: ServerAPITransport {
    private let transport: any ServerAPITransport
    private let isKeyRefused = Mutex(false)

    init(_ transport: any ServerAPITransport) {
        self.transport = transport
    }

    /// Whether the App Store refused the key in its last answer.
    var isRefused: Bool { isKeyRefused.withLock { $0 } }

    func send(_ request: ServerAPITransportRequest) async throws(ServerAPITransportError) -> ServerAPITransportResponse {
        let response = try await transport.send(request)
        // An error of the App Store's own says nothing about the key.
        if response.status < 500 { isKeyRefused.withLock { $0 = response.status == 401 } }
        return response
    }
}
