import HTTPTypes
import Wire
import WireServer

/// The reason why the server does not answer with its metrics.
enum MetricsRefusal: WireRefusal {
    /// The request does not state the token of the configuration.
    case token

    var status: HTTPResponse.Status { .unauthorized }

    var wireError: WireError {
        WireError(
            code: "metrics.unauthorized",
            message: "The request needs the token of the key metrics-token in the header Authorization: Bearer TOKEN.")
    }
}
