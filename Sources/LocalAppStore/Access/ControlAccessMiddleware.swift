import Hummingbird

/// Keeps what is for people and tests to those whom ``ControlAccess`` allows.
struct ControlAccessMiddleware: RouterMiddleware {
    let access: ControlAccess

    func handle(
        _ request: Request, context: StoreRequestContext, next: @concurrent (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let part = Self.part(of: context) else { return try await next(request, context) }
        // The one address to which a browser can carry the token; from then on it shows a cookie.
        if part == "console", request.method == .get, case .token(let token) = access,
            let shown = request.uri.queryParameters["token"], token.matches(String(shown))
        {
            var response = try await next(request, context)
            response.setCookie(token.cookie(for: request))
            return response
        }
        try access.check(request)
        return try await next(request, context)
    }

    /// The first word of the route that the router found, where it is one of those that are for people.
    ///
    /// It is the route's own path, not the request's, so that no spelling of an address goes past this.
    private static func part(of context: StoreRequestContext) -> Substring? {
        let first = context.endpointPath?.split(separator: "/").first
        return switch first {
        case "control", "stores", "store", "console": first
        default: nil
        }
    }
}
