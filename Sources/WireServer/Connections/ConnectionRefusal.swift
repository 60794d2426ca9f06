import Foundation
import FoundationExtras
package import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
package import Wire

/// The reason why a server ends a connection before it has answered a request.
package enum ConnectionRefusal: WireRefusal, Hashable {
    /// The head of the request did not end in time.
    case slowHead
    /// The body of the request did not arrive in time, or arrived too slowly.
    case slowBody
    /// The server took too long to respond.
    case slowResponse
    /// The client's address has too many open connections.
    case tooManyConnections

    package var status: HTTPResponse.Status {
        switch self {
        case .slowHead, .slowBody: .requestTimeout
        case .slowResponse, .tooManyConnections: .serviceUnavailable
        }
    }

    package var wireError: WireError {
        switch self {
        case .slowHead:
            WireError(code: "request.slow-head", message: "The head of the request was not received in time. Send the request again.")
        case .slowBody: WireError(code: "request.slow-body", message: "The request body was not received in time. Send the request again.")
        case .slowResponse: WireError(code: "server.slow", message: "The server did not respond in time. Try again later.")
        case .tooManyConnections:
            WireError(code: "connections.too-many", message: "Too many connections from your address. Close some, and try again.")
        }
    }

    /// The key of the limit in the configuration.
    var limit: String {
        switch self {
        case .slowHead: "limits.head-seconds"
        case .slowBody: "limits.body-seconds"
        case .slowResponse: "limits.exchange-seconds"
        case .tooManyConnections: "limits.connections-per-peer"
        }
    }

    package var retryAfterSeconds: Int? { status == .serviceUnavailable ? 1 : nil }

    /// The complete HTTP response, for handlers that precede the router; its `Connection` header announces the end of the connection.
    var response: (head: HTTPResponse, body: ByteBuffer) {
        let body = ByteBuffer(data: (try? WireJSON.encode(wireError)) ?? Data())
        var head = HTTPResponse(status: status)
        head.headerFields[.contentType] = "application/json; charset=utf-8"
        head.headerFields[.contentLength] = "\(body.readableBytes)"
        head.headerFields[.connection] = "close"
        head.headerFields[.requestID] = "\(RequestID())"
        head.headerFields[.retryAfter] = retryAfterSeconds.map(String.init)
        return (head, body)
    }
}
