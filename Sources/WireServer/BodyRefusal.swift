package import HTTPTypes
import PurchaseModel
package import PurchaseProtocol

/// The refusal of a request's body before the request is handled.
package enum BodyRefusal: WireRefusal, Equatable {
    /// The body is longer than the endpoint's limit.
    case tooLarge(limit: Int)
    /// The body is not the JSON that the endpoint accepts; `place` is the path at which decoding failed.
    case unreadable(place: String)
    /// The body is incomplete.
    case torn
    /// The body is not UTF-8.
    case notUTF8
    /// A text of the body contains a control character.
    case controlCharacter
    /// The bodies of other requests use all of the memory for bodies.
    case noRoom

    package var status: HTTPResponse.Status {
        switch self {
        case .tooLarge: .contentTooLarge
        case .unreadable, .torn, .notUTF8, .controlCharacter: .badRequest
        case .noRoom: .serviceUnavailable
        }
    }

    package var wireError: WireError {
        switch self {
        case .tooLarge(let limit):
            WireError(code: "body.too-large", message: "The body is longer than the \(limit) bytes that are read here.")
        case .unreadable(let place):
            WireError(code: "body.unreadable", message: "The body is not the JSON that is expected here; look at \(place).")
        case .torn:
            WireError(code: "body.torn", message: "The body did not arrive whole; send it again.")
        case .notUTF8:
            WireError(code: "body.not-utf-8", message: "The body is not UTF-8; send JSON in UTF-8.")
        case .controlCharacter:
            WireError(
                code: "body.control-character",
                message: "A text in the body holds a control character other than a tab or a line break; leave it out."
            )
        case .noRoom:
            WireError(code: "body.no-room", message: "The server is busy with other requests; send it again later.")
        }
    }

    package var retryAfterSeconds: Int? { self == .noRoom ? 1 : nil }
}
