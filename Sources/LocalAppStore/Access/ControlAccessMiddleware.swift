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
        /// The token is valid; the response sets a cookie that authenticates further requests.
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
            // The page's static resources are the same in every store, and the sign-in page needs some of them.
            try access.checkPlace(request)
            return .welcome
        default:
            return .welcome
        }
    }

    /// Requires the token for the page itself; a browser without the token gets a readable page and a way to sign in.
    private func page(_ request: Request) throws(AccessRefusal) -> Verdict {
        let isForBrowser = request.method == .get && request.headers[.accept]?.contains("text/html") == true
        do {
            try access.checkPlace(request)
        } catch {
            if isForBrowser { return .instead(Self.sentence(of: error)) }
            throw error
        }
        guard case .token(let token) = access, !token.isShown(by: request) else { return .welcome }
        // A browser can send the token in the query of this address only; a cookie replaces the token in further requests.
        let told = request.method == .get ? request.uri.queryParameters["token"] : nil
        if let told, token.matches(String(told)) { return .shown(token.cookie(for: request)) }
        guard isForBrowser else { throw .tokenMissing }
        let folder = request.uri.path.hasSuffix("/") ? "" : "console/"
        return .instead(.redirect(to: "\(folder)sign-in\(told == nil ? "" : "?wrong")", type: .normal))
    }

    /// A refusal as a page for a browser.
    private static func sentence(of refusal: AccessRefusal) -> Response {
        Response(
            status: refusal.status, headers: [.contentType: "text/plain; charset=utf-8", .xContentTypeOptions: "nosniff"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "\(refusal.wireError.message)\n")))
    }

    /// The path components of the route that the router matched.
    ///
    /// The components come from the route's own path and not from the request's path, so that no alternative spelling of an address
    /// bypasses
    /// this check.
    private static func route(of context: StoreRequestContext) -> [Substring] {
        context.endpointPath?.split(separator: "/") ?? []
    }
}
