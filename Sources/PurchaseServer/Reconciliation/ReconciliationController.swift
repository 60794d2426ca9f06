import HTTPTypes
import Hummingbird
import PurchaseModel
import PurchaseStorage
import Wire
import WireServer

/// The endpoint with which an operator reconciles an app with the App Store on demand.
struct ReconciliationController: Sendable {
    /// A request to reconcile an app now.
    struct Request: Codable, Hashable, Sendable {
        /// The earliest signature date of the notifications to request; nil for the notifications since the last complete run.
        var since: Timestamp?
    }

    static let endpoint = Endpoint<Request, ReconciliationReport>(.post, "/v1/reconciliations")

    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(Self.endpoint) { body, _, context in
            guard let service = try context.caller(.administer).app.appStore?.reconciliation else {
                throw ReconciliationRefusal.notConfigured
            }
            return try await service.reconcile(since: body.since)
        }
    }
}

/// The reason why the server does not reconcile an app on demand.
enum ReconciliationRefusal: Error, Hashable {
    /// The app has no key of the App Store Server API.
    case notConfigured
    /// A run is in progress.
    case running
}

extension ReconciliationRefusal: WireRefusal {
    var status: HTTPResponse.Status { .conflict }

    var wireError: WireError {
        switch self {
        case .notConfigured:
            WireError(
                code: "reconciliation.not-configured",
                message: "The server has no key of the App Store Server API. Set the keys app-store-server-api.… of the configuration.")
        case .running:
            WireError(code: "reconciliation.running", message: "A reconciliation is in progress. Send the request again later.")
        }
    }

    var retryAfterSeconds: Int? { self == .running ? 60 : nil }
}
