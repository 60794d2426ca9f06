package import HTTPTypes
package import Wire
import WireServer

/// The reason why the server refuses a request about webhooks.
package enum WebhookRefusal: Error, Hashable {
    /// The URL can't be opened by an HTTP client.
    case url
    /// The server does not send webhooks to the address.
    case address(String)
    /// No event has the type.
    case type(String)
    /// The value of the header `Authorization` is not valid.
    case authorization
    /// Notifications can't be selected by their customer.
    case customer
    /// The text about the endpoint is too long.
    case note
    /// The app has the maximum number of endpoints.
    case tooManyEndpoints
    /// The app has no endpoint with the identifier.
    case unknownEndpoint
    /// The earlier secret would sign for too long.
    case overlap
    /// The request names no messages, or names them in two ways.
    case selection
    /// The cursor is malformed.
    case cursor
}

extension WebhookRefusal: WireRefusal {
    package var status: HTTPResponse.Status {
        switch self {
        case .unknownEndpoint: .notFound
        case .tooManyEndpoints: .conflict
        case .url, .address, .type, .authorization, .customer, .note, .overlap, .selection, .cursor: .badRequest
        }
    }

    package var wireError: WireError {
        switch self {
        case .url:
            WireError(
                code: "webhooks.url",
                message: "The URL is malformed. Send a URL of at most 2,000 characters with a host, and without a user or a fragment.")
        case .address(let reason):
            WireError(
                code: "webhooks.address",
                message: "\(reason) Send an https URL with a public host, or set webhook-addresses to any on a development server.")
        case .type(let type):
            WireError(
                code: "webhooks.type",
                message: "No message of this format has the type \(type). docs/webhooks.md lists the types of each format.")
        case .authorization:
            WireError(
                code: "webhooks.authorization",
                message: "The authorization is invalid. Send from 1 to \(WebhookService.authorizationLimit) visible characters of ASCII.")
        case .customer:
            WireError(
                code: "webhooks.customer",
                message: "Notifications can't be selected by their customer. Send their UUIDs in messages, or the date from.")
        case .note:
            WireError(code: "webhooks.note", message: "The note is too long. Send at most \(WebhookService.noteLimit) bytes.")
        case .tooManyEndpoints:
            WireError(
                code: "webhooks.too_many",
                message: "The app has \(WebhookService.endpointLimit) webhook endpoints. Remove one, or select more types for one.")
        case .unknownEndpoint:
            WireError(
                code: "webhooks.unknown", message: "The app has no webhook endpoint with this identifier. List them with GET /v1/webhooks.")
        case .overlap:
            WireError(
                code: "webhooks.overlap",
                message: "The overlap is invalid. Send overlapSeconds from 0 to \(WebhookService.overlapLimit).")
        case .selection:
            WireError(
                code: "webhooks.selection",
                message: "The selection is invalid. Send from 1 to \(WebhookService.resendLimit) identifiers in messages, or the date from."
            )
        case .cursor:
            WireError(code: "webhooks.cursor", message: "The cursor is malformed. Send the nextCursor of an earlier answer, or none.")
        }
    }
}
