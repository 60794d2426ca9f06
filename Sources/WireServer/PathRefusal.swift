package import HTTPTypes
package import PurchaseModel

/// Why a request's path was refused before anybody looked at what it asks.
package enum PathRefusal: WireRefusal {
    /// What stands for this parameter is not percent-encoded UTF-8.
    case unreadable(parameter: String)

    package var status: HTTPResponse.Status { .badRequest }

    package var wireError: WireError {
        switch self {
        case .unreadable(let parameter):
            WireError(code: "path.unreadable", message: "The \(parameter) in the path is not percent-encoded UTF-8.")
        }
    }
}
