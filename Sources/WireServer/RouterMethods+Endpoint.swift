import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore
import NIOFoundationCompat
import PurchaseModel
package import PurchaseProtocol

/// How large a JSON body may be unless an endpoint says otherwise: receipts with a long history pass, floods do not.
package let defaultBodyLimit = 4 << 20

extension RouterMethods {
    /// Mounts an endpoint: reads its body within `limit`, refuses what is not its request with 400 or 413, and answers with JSON.
    @discardableResult
    package func mount<Body, Answer>(
        _ endpoint: Endpoint<Body, Answer>,
        limit: Int = defaultBodyLimit,
        handler: @escaping @Sendable (Body, Request, Context) async throws -> Answer
    ) -> Self {
        on(RouterPath(endpoint.template), method: endpoint.method.httpMethod) { request, context in
            // What has no body reads as an empty object.
            let data = endpoint.method == .post ? Data(buffer: try await request.wholeBody(upTo: limit)) : Data("{}".utf8)
            let body = try Body(body: data)
            return Response(.ok, try await handler(body, request, context))
        }
    }
}

extension Endpoint.Method {
    /// The method in HTTP's words.
    fileprivate var httpMethod: HTTPRequest.Method {
        switch self {
        case .get: .get
        case .post: .post
        case .delete: .delete
        }
    }
}
