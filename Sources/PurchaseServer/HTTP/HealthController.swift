import Hummingbird
import PurchaseModel
import PurchaseStorage
import Wire
import WireServer

/// The endpoints with which a supervisor checks whether the process runs, and whether the process can serve requests.
struct HealthController: Sendable {
    /// The response of `/health` and `/readyz`.
    struct Status: Codable, Hashable, Sendable {
        /// The state of a server that answers; always `ok`.
        var status = "ok"
        /// The codes of the warnings for operators; nil for none.
        var warnings: [String]?
        /// The messages of the warnings about the app that the request's admin key belongs to; nil without an admin key or a warning.
        var details: [String]?
    }

    let storage: any PurchaseStorage
    /// The warnings that apply now.
    let warnings: @Sendable () -> [OperatorWarning]
    let apps: Apps

    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(Endpoint<Empty, Status>(.get, "/health")) { _, _, _ in Status() }
        router.mount(Endpoint<Empty, Status>(.get, "/readyz")) { _, _, context in
            try await storage.checkWritable()
            let warnings = warnings()
            guard !warnings.isEmpty else { return Status() }
            // Send details only for an admin key, because the request requires no API key, and the details name the app and its keys.
            let app = (try? context.caller(.administer))?.app.id
            let details = warnings.filter { $0.app == app }.map(\.message)
            return Status(warnings: Set(warnings.map(\.code)).sorted(), details: details.isEmpty ? nil : details)
        }
    }
}

/// A problem that an operator has to correct while the server continues to serve requests.
struct OperatorWarning: Hashable, Sendable {
    /// The code of the problem, such as `app-store.key-refused`.
    let code: String
    /// The app that the warning concerns.
    let app: BundleID
    /// A description of the problem, and the correction.
    let message: String
}
