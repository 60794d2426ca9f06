import Hummingbird
import PurchaseProtocol
import WireServer

/// The endpoints with which a supervisor checks whether the process runs, and whether it can serve requests.
struct HealthController: Sendable {
    /// The response of both endpoints.
    struct Status: Codable, Hashable, Sendable {
        /// Always `ok`.
        var status = "ok"
    }

    let storage: any PurchaseStorage

    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(Endpoint<Empty, Status>(.get, "/health")) { _, _, _ in Status() }
        router.mount(Endpoint<Empty, Status>(.get, "/readyz")) { _, _, _ in
            try await storage.checkWritable()
            return Status()
        }
    }
}
