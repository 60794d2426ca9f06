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
    case incomplete
    /// The body is not UTF-8.
    case notUTF8
    /// A text of the body contains a control character.
    case controlCharacter
    /// The bodies of other requests use all of the memory for bodies.
    case memoryExhausted

    package var status: HTTPResponse.Status {
        switch self {
        case .tooLarge: .contentTooLarge
        case .unreadable, .incomplete, .notUTF8, .controlCharacter: .badRequest
        case .memoryExhausted: .serviceUnavailable
        }
    }

    package var wireError: WireError {
        switch self {
        case .tooLarge(let limit):
            WireError(code: "body.too-large", message: "The body is larger than the limit of \(limit) bytes.")
        case .unreadable(let place):
            WireError(code: "body.unreadable", message: "The body is not valid JSON for this endpoint. The error is at: \(place).")
        case .incomplete:
            WireError(code: "body.incomplete", message: "The body is incomplete. Send the request again.")
        case .notUTF8:
            WireError(code: "body.not-utf-8", message: "The body is not UTF-8. Send JSON in UTF-8.")
        case .controlCharacter:
            WireError(
                code: "body.control-character",
                message: "A text in the body contains a control character other than a tab or a line break. Remove it."
            )
        case .memoryExhausted:
            WireError(code: "body.memory-exhausted", message: "The server is busy with other requests. Send the request again later.")
        }
    }

    package var retryAfterSeconds: Int? { self == .memoryExhausted ? 1 : nil }
}
