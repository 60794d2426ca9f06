import Foundation
package import HTTPTypes
import NIOCore
import NIOFoundationCompat
import PurchaseModel
package import PurchaseProtocol

/// The refusal of a connection whose request was not answered.
package enum ConnectionRefusal: WireRefusal, Hashable {
    /// The head of the request did not end in time.
    case slowHead
    /// The body of the request did not arrive in time, or arrived too slowly.
    case slowBody
    /// The server took too long to respond.
    case slowAnswer
    /// The client's address has too many connections.
    case tooManyConnections

    package var status: HTTPResponse.Status {
        switch self {
        case .slowHead, .slowBody: .requestTimeout
        case .slowAnswer, .tooManyConnections: .serviceUnavailable
        }
    }

    package var wireError: WireError {
        switch self {
        case .slowHead: WireError(code: "request.slow-head", message: "The head of the request took too long; send it again.")
        case .slowBody: WireError(code: "request.slow-body", message: "The body came too slowly; send it again.")
        case .slowAnswer: WireError(code: "server.slow", message: "The server took too long; try again later.")
        case .tooManyConnections:
            WireError(code: "connections.too-many", message: "This address has too many connections; close some, and try again.")
        }
    }

    package var retryAfterSeconds: Int? { status == .serviceUnavailable ? 1 : nil }

    /// The complete response, for callers without a router; the response ends the connection.
    var answer: (head: HTTPResponse, body: ByteBuffer) {
        let body = ByteBuffer(data: (try? WireJSON.encode(wireError)) ?? Data())
        var head = HTTPResponse(status: status)
        head.headerFields[.contentType] = "application/json; charset=utf-8"
        head.headerFields[.contentLength] = "\(body.readableBytes)"
        head.headerFields[.connection] = "close"
        head.headerFields[.retryAfter] = retryAfterSeconds.map(String.init)
        return (head, body)
    }
}
