import Foundation
import FoundationExtras
package import HTTPTypes
package import Hummingbird
import NIOCore
import NIOFoundationCompat
import PurchaseModel
package import Wire

/// The default limit for the size of a JSON body, in bytes, which is sufficient for a receipt with a long history.
package let defaultBodyLimit = 4 << 20

extension RouterMethods {
    /// Adds the route of an endpoint, which decodes the request, calls `handler`, and responds with JSON.
    ///
    /// The route responds with status 413 to a body of more than `limit` bytes, and with status 400 to an invalid body.
    @discardableResult
    package func mount<Body, Output>(
        _ endpoint: Endpoint<Body, Output>,
        limit: Int = defaultBodyLimit,
        handler: @escaping @Sendable (Body, Request, Context) async throws -> Output
    ) -> Self {
        on(RouterPath(endpoint.template), method: endpoint.method.httpMethod) { request, context in
            // Only a POST request has a body. For any other method, the input is decoded from an empty JSON object.
            // A POST request without a body counts as one with an empty object, too.
            let data = endpoint.method == .post ? Data(buffer: try await request.wholeBody(upTo: limit)) : Data()
            let body: Body
            if data.isEmpty, let empty = Empty() as? Body {
                body = empty
            } else {
                body = try Body(body: data.isEmpty ? Data("{}".utf8) : data)
            }
            return Response(.ok, try await handler(body, request, context))
        }
    }
}

extension Endpoint.Method {
    /// The method as a value of swift-http-types.
    fileprivate var httpMethod: HTTPRequest.Method {
        switch self {
        case .get: .get
        case .post: .post
        case .delete: .delete
        }
    }
}

extension Response {
    /// Creates a response with a value as its JSON body.
    package init(_ status: HTTPResponse.Status, _ value: some Encodable & Sendable) {
        guard let data = try? WireJSON.encode(value) else {
            // Encoding a reply never fails. If it did, the empty response with status 503 would make the client try again.
            self.init(status: .serviceUnavailable)
            return
        }
        self.init(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(data: data))
        )
    }
}
