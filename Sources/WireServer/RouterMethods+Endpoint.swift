import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore
import NIOFoundationCompat
import PurchaseModel
package import PurchaseProtocol

/// The default limit for a JSON body, in bytes, which is sufficient for receipts with a long history.
package let defaultBodyLimit = 4 << 20

extension RouterMethods {
    /// Mounts an endpoint.
    ///
    /// The route reads a body of at most `limit` bytes, refuses an invalid request with 400 or 413, and responds with JSON.
    @discardableResult
    package func mount<Body, Output>(
        _ endpoint: Endpoint<Body, Output>,
        limit: Int = defaultBodyLimit,
        handler: @escaping @Sendable (Body, Request, Context) async throws -> Output
    ) -> Self {
        on(RouterPath(endpoint.template), method: endpoint.method.httpMethod) { request, context in
            // A request without a body decodes as an empty object.
            let data = endpoint.method == .post ? Data(buffer: try await request.wholeBody(upTo: limit)) : Data("{}".utf8)
            let body = try Body(body: data)
            return Response(.ok, try await handler(body, request, context))
        }
    }
}

extension Endpoint.Method {
    /// The method as a type of HTTP.
    fileprivate var httpMethod: HTTPRequest.Method {
        switch self {
        case .get: .get
        case .post: .post
        case .delete: .delete
        }
    }
}
