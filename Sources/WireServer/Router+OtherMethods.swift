import HTTPTypes
package import Hummingbird

extension Router {
    /// Answers 405 with `Allow` where an address has routes, but none for the request's method (RFC 9110, section 15.5.6).
    ///
    /// Call it once, when every route is mounted. The refusal passes through the router's middleware as that of an unknown address does.
    /// `Allow` has HEAD where there is GET, so make the router with `autoGenerateHeadEndpoints`.
    package func refuseOtherMethods() {
        // What is added after the routes is asked only where no route is found.
        add(middleware: OtherMethodMiddleware(routes))
    }
}

/// Refuses requests that found no route because of their method.
private struct OtherMethodMiddleware<Context: RequestContext>: RouterMiddleware {
    /// Has each of the router's paths with one route for GET, which answers with `Allow`: so paths are matched as the router does it.
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
        let answer = try await paths.respond(to: Request(head: head, body: request.body), context: context)
        guard answer.status == .ok, let allowed = answer.headers[.allow] else { return try await next(request, context) }
        throw HTTPError(.methodNotAllowed, headers: [.allow: allowed])
    }
}
