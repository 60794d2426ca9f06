import Hummingbird
import NIOCore
import PurchaseModel
import Wire
import WireServer

/// The middleware that restricts the control API, the list of stores and the console to clients with access.
///
/// ``ControlAccess`` determines which clients have access. The list of stores includes the routes that create and remove stores.
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
        /// The request has access, and its response sets a cookie that authenticates the browser's next requests.
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
            // Scripts and style sheets of the console are the same in every store, and the sign-in page needs some of them without a token.
            try access.checkOrigin(request)
            return .allow
        default:
            return .allow
        }
    }

    /// Decides about a request for the console's page: a browser without the token gets the sign-in page, other clients get an error.
    private func pageDecision(_ request: Request) throws(AccessRefusal) -> Decision {
        let isForBrowser = request.method == .get && request.headers[.accept]?.contains("text/html") == true
        do {
            try access.checkOrigin(request)
        } catch {
            if isForBrowser { return .respond(Self.textResponse(for: error)) }
            throw error
        }
        guard case .token(let token) = access, !token.isPresented(by: request) else { return .allow }
        // Only this route accepts the token in the query. The cookie replaces the token in later requests.
        let presented = request.method == .get ? request.uri.queryParameters["token"] : nil
        if let presented, token.matches(String(presented)) { return .allowSettingCookie(token.cookie(for: request)) }
        guard isForBrowser else { throw .tokenMissing }
        let folder = request.uri.path.hasSuffix("/") ? "" : "console/"
        return .respond(.redirect(to: "\(folder)sign-in\(presented == nil ? "" : "?wrong")", type: .normal))
    }

    /// Creates a plain-text response with the message of a refusal, for a browser.
    private static func textResponse(for refusal: AccessRefusal) -> Response {
        Response(
            status: refusal.status, headers: [.contentType: "text/plain; charset=utf-8", .xContentTypeOptions: "nosniff"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "\(refusal.wireError.message)\n")))
    }

    /// Returns the path components of the route that the router matched for a request.
    ///
    /// The components come from the route's pattern and not from the request's path, so that no alternative spelling of a path bypasses the
    /// access control.
    private static func route(of context: StoreRequestContext) -> [Substring] {
        context.endpointPath?.split(separator: "/") ?? []
    }
}
