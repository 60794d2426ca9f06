import Hummingbird
import NIOCore
import PurchaseModel
import PurchaseProtocol
import WireServer

/// Restricts the control API, the stores of a host, and the console to the clients that ``ControlAccess`` allows.
struct ControlAccessMiddleware: RouterMiddleware {
    let access: ControlAccess

    func handle(
        _ request: Request, context: StoreRequestContext, next: @concurrent (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        switch try decision(on: request, route: Self.route(of: context)) {
        case .allow:
            return try await next(request, context)
        case .allowSettingCookie(let cookie):
            var response = try await next(request, context)
            response.setCookie(cookie)
            return response
        case .respond(let response):
            return response
        }
    }

    private enum Decision {
        case allow
        /// The token is valid; the response sets a cookie that authenticates further requests.
        case allowSettingCookie(Cookie)
        case respond(Response)
    }

    private func decision(on request: Request, route: [Substring]) throws(AccessRefusal) -> Decision {
        switch route.first {
        case "control", "stores", "store":
            try access.check(request)
            return .allow
        case "console" where route.count == 1:
            return try pageDecision(request)
        case "console":
            // The page's static resources are the same in every store, and the sign-in page needs some of them.
            try access.checkOrigin(request)
            return .allow
        default:
            return .allow
        }
    }

    /// Requires the token for the page itself; a browser without the token gets a readable page and a way to sign in.
    private func pageDecision(_ request: Request) throws(AccessRefusal) -> Decision {
        let isForBrowser = request.method == .get && request.headers[.accept]?.contains("text/html") == true
        do {
            try access.checkOrigin(request)
        } catch {
            if isForBrowser { return .respond(Self.textResponse(for: error)) }
            throw error
        }
        guard case .token(let token) = access, !token.isPresented(by: request) else { return .allow }
        // A browser can send the token in the query of this address only; a cookie replaces the token in further requests.
        let presented = request.method == .get ? request.uri.queryParameters["token"] : nil
        if let presented, token.matches(String(presented)) { return .allowSettingCookie(token.cookie(for: request)) }
        guard isForBrowser else { throw .tokenMissing }
        let folder = request.uri.path.hasSuffix("/") ? "" : "console/"
        return .respond(.redirect(to: "\(folder)sign-in\(presented == nil ? "" : "?wrong")", type: .normal))
    }

    /// A refusal as a page for a browser.
    private static func textResponse(for refusal: AccessRefusal) -> Response {
        Response(
            status: refusal.status, headers: [.contentType: "text/plain; charset=utf-8", .xContentTypeOptions: "nosniff"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "\(refusal.wireError.message)\n")))
    }

    /// The path components of the route that the router matched.
    ///
    /// The components come from the route's own path and not from the request's path, so that no alternative spelling of an address
    /// bypasses this check.
    private static func route(of context: StoreRequestContext) -> [Substring] {
        context.endpointPath?.split(separator: "/") ?? []
    }
}
