import HTTPTypes
package import Hummingbird
import NIOCore
import PurchaseModel
import PurchaseProtocol

/// Answers only what is asked by a name of this machine, and by no page of another address.
///
/// For pages that ask nobody who they are and listen on a loopback address: without it, a page in the same browser reaches them
/// through a name that its owner points at this machine.
package struct LoopbackMiddleware<Context: RequestContext>: RouterMiddleware {
    /// Creates the middleware.
    package init() {}

    /// Passes a request on, or answers it with 403.
    package func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        if !request.isForLoopback { return PlaceRefusal.foreignHost.response(to: request) }
        if !request.isOfSameOrigin { return PlaceRefusal.foreignOrigin.response(to: request) }
        return try await next(request, context)
    }
}

/// Why a request is not answered because of where it comes from.
enum PlaceRefusal: WireRefusal, Hashable {
    /// A page of another address asks.
    case foreignOrigin
    /// It was asked for by a name that is not this machine's own.
    case foreignHost

    var status: HTTPResponse.Status { .forbidden }

    var wireError: WireError {
        switch self {
        case .foreignOrigin: WireError(code: "access.foreign-origin", message: "Pages of other addresses cannot use this server.")
        case .foreignHost:
            WireError(
                code: "access.foreign-host", message: "This address answers only to names of this machine, such as localhost and 127.0.0.1."
            )
        }
    }

    /// A sentence for a browser, and the wire's form for everybody else.
    func response(to request: Request) -> Response {
        guard request.headers[.accept]?.contains("text/html") == true else { return Response(status, wireError) }
        return Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8", .xContentTypeOptions: "nosniff"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "\(wireError.message)\n")))
    }
}
