import HTTPTypes
package import Hummingbird

extension Router {
    /// Makes the router respond with status 405 and `Allow` to a path that has no route for the request's method.
    ///
    /// Call this method once, after all routes are mounted (RFC 9110, section 15.5.6). A response with status 405 passes through the
    /// router's middleware, like a response with status 404. `Allow` contains HEAD for every path with a GET route, so create the router
    /// with `autoGenerateHeadEndpoints`.
    package func refuseOtherMethods() {
        // Hummingbird runs middleware that is added after the routes only for requests without a route.
        add(middleware: OtherMethodMiddleware(routes))
    }
}

/// Refuses requests whose path has routes, but no route for the request's method.
private struct OtherMethodMiddleware<Context: RequestContext>: RouterMiddleware {
    /// A router that has a GET route for each path of the original router, and responds with the path's `Allow` header.
    ///
    /// This router matches a path by the same rules as the original router.
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
