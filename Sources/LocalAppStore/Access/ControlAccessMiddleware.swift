import Hummingbird
import NIOCore
import PurchaseModel
import WireServer

/// Keeps what is for people and tests to those whom ``ControlAccess`` allows.
struct ControlAccessMiddleware: RouterMiddleware {
    let access: ControlAccess

    func handle(
        _ request: Request, context: StoreRequestContext, next: @concurrent (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        let route = Self.route(of: context)
        switch route.first {
        case "console":
            return try await handleConsole(request, isPage: route.count == 1, context: context, next: next)
        case "control", "stores", "store":
            try access.check(request)
            return try await next(request, context)
        default:
            return try await next(request, context)
        }
    }

    /// The page itself wants the token; its scripts and styles, which are the same everywhere, are needed to ask for it.
    private func handleConsole(
        _ request: Request, isPage: Bool, context: StoreRequestContext,
        next: @concurrent (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        do throws(AccessRefusal) {
            try access.checkPlace(request)
        } catch where isPage && Self.isForBrowser(request) {
            return Self.sentence(of: error)
        }
        guard isPage, case .token(let token) = access, !token.isShown(by: request) else { return try await next(request, context) }
        // The one address to which a browser can carry the token; from then on it shows a cookie.
        let shown = request.method == .get ? request.uri.queryParameters["token"] : nil
        if let shown, token.matches(String(shown)) {
            var response = try await next(request, context)
            response.setCookie(token.cookie(for: request))
            return response
        }
        guard Self.isForBrowser(request) else { throw AccessRefusal.tokenMissing }
        let folder = request.uri.path.hasSuffix("/") ? "" : "console/"
        return .redirect(to: "\(folder)sign-in\(shown == nil ? "" : "?wrong")", type: .normal)
    }

    /// A refusal for somebody who looks at it in a browser.
    private static func sentence(of refusal: AccessRefusal) -> Response {
        Response(
            status: refusal.status, headers: [.contentType: "text/plain; charset=utf-8", .xContentTypeOptions: "nosniff"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "\(refusal.wireError.message)\n")))
    }

    private static func isForBrowser(_ request: Request) -> Bool {
        request.method == .get && request.headers[.accept]?.contains("text/html") == true
    }

    /// The parts of the route that the router found.
    ///
    /// It is the route's own path, not the request's, so that no spelling of an address goes past this.
    private static func route(of context: StoreRequestContext) -> [Substring] {
        context.endpointPath?.split(separator: "/") ?? []
    }
}
