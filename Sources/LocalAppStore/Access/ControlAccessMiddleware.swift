import Hummingbird
import NIOCore
import PurchaseModel
import PurchaseProtocol
import WireServer

/// Keeps what is for people and tests to those whom ``ControlAccess`` allows.
struct ControlAccessMiddleware: RouterMiddleware {
    let access: ControlAccess

    func handle(
        _ request: Request, context: StoreRequestContext, next: @concurrent (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        switch try verdict(on: request, route: Self.route(of: context)) {
        case .welcome:
            return try await next(request, context)
        case .shown(let cookie):
            var response = try await next(request, context)
            response.setCookie(cookie)
            return response
        case .instead(let response):
            return response
        }
    }

    private enum Verdict {
        case welcome
        /// Welcome, and from now on known by a cookie.
        case shown(Cookie)
        case instead(Response)
    }

    private func verdict(on request: Request, route: [Substring]) throws(AccessRefusal) -> Verdict {
        switch route.first {
        case "control", "stores", "store":
            try access.check(request)
            return .welcome
        case "console" where route.count == 1:
            return try page(request)
        case "console":
            // What the page is made of is the same everywhere, and some of it is needed to ask for the token.
            try access.checkPlace(request)
            return .welcome
        default:
            return .welcome
        }
    }

    /// The page itself wants the token; a browser is told in words, and led to where it can say it.
    private func page(_ request: Request) throws(AccessRefusal) -> Verdict {
        let isForBrowser = request.method == .get && request.headers[.accept]?.contains("text/html") == true
        do {
            try access.checkPlace(request)
        } catch {
            if isForBrowser { return .instead(Self.sentence(of: error)) }
            throw error
        }
        guard case .token(let token) = access, !token.isShown(by: request) else { return .welcome }
        // The one address to which a browser can carry the token; from then on it shows a cookie.
        let told = request.method == .get ? request.uri.queryParameters["token"] : nil
        if let told, token.matches(String(told)) { return .shown(token.cookie(for: request)) }
        guard isForBrowser else { throw .tokenMissing }
        let folder = request.uri.path.hasSuffix("/") ? "" : "console/"
        return .instead(.redirect(to: "\(folder)sign-in\(told == nil ? "" : "?wrong")", type: .normal))
    }

    /// A refusal for somebody who looks at it in a browser.
    private static func sentence(of refusal: AccessRefusal) -> Response {
        Response(
            status: refusal.status, headers: [.contentType: "text/plain; charset=utf-8", .xContentTypeOptions: "nosniff"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "\(refusal.wireError.message)\n")))
    }

    /// The parts of the route that the router found.
    ///
    /// It is the route's own path, not the request's, so that no spelling of an address goes past this.
    private static func route(of context: StoreRequestContext) -> [Substring] {
        context.endpointPath?.split(separator: "/") ?? []
    }
}
