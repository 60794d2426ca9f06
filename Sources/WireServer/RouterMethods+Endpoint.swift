import Foundation
import HTTPTypes
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
