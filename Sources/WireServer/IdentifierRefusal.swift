package import HTTPTypes
import PurchaseModel
package import Wire

/// The reason why a server refuses a request because of an identifier in its URL or body.
package enum IdentifierRefusal: WireRefusal {
    /// The value of a path or query parameter is not percent-encoded UTF-8; `place` is the name of the parameter.
    case unreadable(place: String)
    /// The identifier is not valid (see `IdentifierText`); `place` is the name of a URL parameter, or a path in the JSON body.
    case malformed(place: String)

    package var status: HTTPResponse.Status { .badRequest }

    package var wireError: WireError {
        switch self {
        case .unreadable(let place):
            WireError(code: "path.unreadable", message: "The parameter \(place) in the URL is not percent-encoded UTF-8. Correct it.")
        case .malformed(let place):
            WireError(
                code: "identifier.malformed",
                message:
                    "Invalid identifier at \(place). Send at most \(IdentifierText.limit) bytes of UTF-8 without control characters."
            )
        }
    }
}
