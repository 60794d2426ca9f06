package import HTTPTypes
import PurchaseModel
package import PurchaseProtocol

/// Why a request was refused for a text in its address or its body that names something.
package enum IdentifierRefusal: WireRefusal {
    /// What stands at this place of the address is not percent-encoded UTF-8.
    case unreadable(place: String)
    /// What stands at this place breaks the rule of identifiers.
    case malformed(place: String)

    package var status: HTTPResponse.Status { .badRequest }

    package var wireError: WireError {
        switch self {
        case .unreadable(let place):
            WireError(code: "path.unreadable", message: "The \(place) in the address is not percent-encoded UTF-8.")
        case .malformed(let place):
            WireError(
                code: "identifier.malformed",
                message:
                    "The \(place) is not an identifier: send at most \(IdentifierText.limit) bytes of UTF-8 without control characters."
            )
        }
    }
}
