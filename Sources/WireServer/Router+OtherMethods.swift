import HTTPTypes
package import Hummingbird

extension Router {
    /// Responds with 405 and `Allow` if an address has routes, but none for the request's method (RFC 9110, section 15.5.6).
    ///
    /// Call it once, after all routes are mounted. The refusal passes through the router's middleware like the refusal of an unknown
    /// address. `Allow` contains HEAD where it contains GET, so create the router with `autoGenerateHeadEndpoints`.
    package func refuseOtherMethods() {
        // Middleware that is added after the routes runs only for requests without a route.
        add(middleware: OtherMethodMiddleware(routes))
    }
}

/// Refuses requests that match no route because of their method.
private struct OtherMethodMiddleware<Context: RequestContext>: RouterMiddleware {
    /// A router with one GET route for each of the original router's paths, which responds with `Allow`.
    ///
    /// Paths are thus matched by the router's own rules.
    private let paths: RouterResponder<Context>

    init(_ routes: [Router<Context>.RouteDescription]) {
        let paths = Router(context: Context.self)
        for (_, routes) in Dictionary(grouping: routes, by: \.path.description) {
            guard let path = routes.first?.path else { continue }
            var methods = Set(routes.map(\.method.rawValue))
            if methods.contains(HTTPRequest.Method.get.rawValue) { methods.insert(HTTPRequest.Method.head.rawValue) }
            let allowed = methods.sorted().joined(separator: ", ")
            paths.get(path) { _, _ in Response(status: .ok, headers: [.allow: allowed]) }
        }
        self.paths = paths.buildResponder()
    }

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var head = request.head
        head.method = .get
        let response = try await paths.respond(to: Request(head: head, body: request.body), context: context)
        guard response.status == .ok, let allowed = response.headers[.allow] else { return try await next(request, context) }
        throw HTTPError(.methodNotAllowed, headers: [.allow: allowed])
    }
}
