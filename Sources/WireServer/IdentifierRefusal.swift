package import HTTPTypes
import PurchaseModel
package import PurchaseProtocol

/// The refusal of an identifier in a request's URL or body.
package enum IdentifierRefusal: WireRefusal {
    /// The text at this place of the URL is not percent-encoded UTF-8.
    case unreadable(place: String)
    /// The text at this place breaks the rules of identifiers.
    case malformed(place: String)

    package var status: HTTPResponse.Status { .badRequest }

    package var wireError: WireError {
        switch self {
        case .unreadable(let place):
            WireError(code: "path.unreadable", message: "The \(place) in the URL is not percent-encoded UTF-8.")
        case .malformed(let place):
            WireError(
                code: "identifier.malformed",
                message:
                    "Invalid identifier: \(place). Send at most \(IdentifierText.limit) bytes of UTF-8 without control characters."
            )
        }
    }
}
