import HTTPTypes
package import Hummingbird
import NIOCore
import PurchaseModel
import Wire

/// Refuses requests whose host name is not a loopback name, and requests from web pages of another origin.
///
/// The middleware protects a server that listens on a loopback address and requires no authentication. Without the middleware, a foreign
/// web page in the user's browser could reach the server through a domain name that resolves to the loopback address (DNS rebinding).
package struct LoopbackMiddleware<Context: RequestContext>: RouterMiddleware {
    private let publicHost: String?

    /// Creates the middleware.
    ///
    /// - Parameter publicHost: A further host name that requests may have, because a proxy forwards them; nil for none.
    package init(publicHost: String? = nil) {
        self.publicHost = publicHost?.lowercased()
    }

    /// Passes an accepted request to the next handler, and responds with status 403 to any other request.
    package func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let isExpected = publicHost.map { request.head.authority?.lowercased() == $0 } ?? false
        if !isExpected, !request.isForLoopback { return OriginRefusal.foreignHost.response(to: request) }
        if !request.isSameOrigin { return OriginRefusal.foreignOrigin.response(to: request) }
        return try await next(request, context)
    }
}

/// The reason why a server on a loopback address refuses a request: its origin or its host name.
enum OriginRefusal: WireRefusal, Hashable {
    /// The request comes from a web page of another origin.
    case foreignOrigin
    /// The request's host name is not a loopback name.
    case foreignHost

    var status: HTTPResponse.Status { .forbidden }

    var wireError: WireError {
        switch self {
        case .foreignOrigin:
            WireError(
                code: "access.foreign-origin",
                message: "This server refuses requests from web pages of another origin. Send the request from a page of this server."
            )
        case .foreignHost:
            WireError(
                code: "access.foreign-host",
                message: "This server accepts only local host names. Use localhost or 127.0.0.1 in the URL."
            )
        }
    }

    /// Returns the response to a refused request: plain text for a browser, and a JSON error for any other client.
    func response(to request: Request) -> Response {
        guard request.headers[.accept]?.contains("text/html") == true else { return Response(status, wireError) }
        return Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8", .xContentTypeOptions: "nosniff"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "\(wireError.message)\n")))
    }
}
