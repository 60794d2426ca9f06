import Hummingbird
import PurchaseProtocol
import WireServer

/// The endpoints with which a supervisor checks whether the process runs, and whether it can serve requests.
struct HealthController: Sendable {
    /// The response of both endpoints.
    struct Status: Codable, Hashable, Sendable {
        /// Always `ok`.
        var status = "ok"
        /// What an operator has to correct, although requests are served, as sentences; nil for nothing.
        var warnings: [String]?
    }

    let storage: any PurchaseStorage
    /// The sentences that `/readyz` states for as long as the server runs.
    var warnings: [String] = []
    let apps: Apps

    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(Endpoint<Empty, Status>(.get, "/health")) { _, _, _ in Status() }
        router.mount(Endpoint<Empty, Status>(.get, "/readyz")) { _, _, _ in
            try await storage.checkWritable()
            let warnings = warnings + apps.all.flatMap(\.warnings)
            return Status(warnings: warnings.isEmpty ? nil : warnings)
        }
    }
}
