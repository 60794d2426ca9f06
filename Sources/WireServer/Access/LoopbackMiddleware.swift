import HTTPTypes
package import Hummingbird
import NIOCore
import PurchaseModel
import PurchaseProtocol

/// Refuses requests whose host name is not a loopback name, and requests from pages of another origin.
///
/// The middleware protects pages without authentication on a loopback address. Without the middleware, a page in the same browser reaches
/// them through a domain name that the page's owner resolves to the loopback address (DNS rebinding).
package struct LoopbackMiddleware<Context: RequestContext>: RouterMiddleware {
    /// Creates the middleware.
    package init() {}

    /// Passes a request on, or responds with 403.
    package func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        if !request.isForLoopback { return OriginRefusal.foreignHost.response(to: request) }
        if !request.isSameOrigin { return OriginRefusal.foreignOrigin.response(to: request) }
        return try await next(request, context)
    }
}

/// The refusal of a request because of its origin or its host name.
enum OriginRefusal: WireRefusal, Hashable {
    /// The request comes from a page of another origin.
    case foreignOrigin
    /// The request's host name is not a loopback name.
    case foreignHost

    var status: HTTPResponse.Status { .forbidden }

    var wireError: WireError {
        switch self {
        case .foreignOrigin: WireError(code: "access.foreign-origin", message: "This server refuses requests from pages of another origin.")
        case .foreignHost:
            WireError(
                code: "access.foreign-host", message: "This server accepts only local host names, such as localhost and 127.0.0.1."
            )
        }
    }

    /// A sentence for a browser, and the wire format for any other client.
    func response(to request: Request) -> Response {
        guard request.headers[.accept]?.contains("text/html") == true else { return Response(status, wireError) }
        return Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8", .xContentTypeOptions: "nosniff"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "\(wireError.message)\n")))
    }
}
