import Hummingbird
import PurchaseModel
import Wire
import WireServer

/// The endpoints with which a supervisor checks whether the process runs, and whether it can serve requests.
struct HealthController: Sendable {
    /// The response of both endpoints.
    struct Status: Codable, Hashable, Sendable {
        /// Always `ok`.
        var status = "ok"
        /// The codes of what an operator has to correct, although requests are served; nil for nothing.
        var warnings: [String]?
        /// The messages of the warnings about the app whose operator's key the request has; nil without such a key or warning.
        var details: [String]?
    }

    let storage: any PurchaseStorage
    /// The warnings that apply for as long as the server runs.
    let warnings: [OperatorWarning]
    let apps: Apps

    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(Endpoint<Empty, Status>(.get, "/health")) { _, _, _ in Status() }
        router.mount(Endpoint<Empty, Status>(.get, "/readyz")) { _, _, context in
            try await storage.checkWritable()
            let warnings = warnings + apps.all.flatMap(\.warnings)
            guard !warnings.isEmpty else { return Status() }
            // Anyone can send this request, so the names of apps and keys are for the operator of the app.
            let app = (try? context.caller(.administer))?.app.id
            let details = warnings.filter { $0.app == app }.map(\.message)
            return Status(warnings: Set(warnings.map(\.code)).sorted(), details: details.isEmpty ? nil : details)
        }
    }
}

/// What an operator has to correct, although the server serves requests.
struct OperatorWarning: Hashable, Sendable {
    /// The code, such as `app-store.key-refused`.
    let code: String
    /// The app that the warning concerns.
    let app: BundleID
    /// What is wrong, and what the operator can do.
    let message: String
}
