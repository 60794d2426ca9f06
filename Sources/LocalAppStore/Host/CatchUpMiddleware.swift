import Hummingbird
import PurchaseModel
import PurchaseProtocol

/// Processes all due events of a store before each request, so that every response reflects the store's current time.
///
/// If more events are due than one turn can process, the request gets status 503 and `Retry-After`. Requests about the host and about the
/// store's time get a response nevertheless, so that a client can stop, export and remove a store that is far behind.
struct CatchUpMiddleware: RouterMiddleware {
    /// The routes that do not depend on a store's time.
    private static let exemptRoots: Set<Substring> = ["stores", "store", "console", "ocsp"]
    /// The routes of a store that respond while the store is behind.
    private static let exemptRoutes: Set<String> = [
        ControlEndpoints.clock.template, ControlEndpoints.setClock.template, ControlEndpoints.advance.template, HostEndpoints.exportPath,
    ]

    func handle(
        _ request: Request, context: StoreRequestContext, next: @concurrent (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        if let route = context.endpointPath, Self.needsCatchUp(route) { try await context.requestedStore?.ledger.catchUp() }
        return try await next(request, context)
    }

    private static func needsCatchUp(_ route: String) -> Bool {
        guard let first = route.split(separator: "/").first else { return false }
        return !exemptRoots.contains(first) && !exemptRoutes.contains(route)
    }
}
