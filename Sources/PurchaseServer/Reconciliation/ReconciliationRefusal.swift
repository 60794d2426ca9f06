import HTTPTypes
import Wire
import WireServer

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
