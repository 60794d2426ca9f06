import Hummingbird
import PurchaseModel
import StoreProtocol
import Wire

/// The middleware that processes a store's due events, such as renewals, before each request, so that responses reflect the current time.
///
/// If too many events are due, the request fails with status 503 and `Retry-After`. Requests to the host and to the store's clock do not
/// fail, so that a client can stop the clock, export the store or remove it.
struct CatchUpMiddleware: RouterMiddleware {
    /// The first path components of routes whose responses do not depend on a store's time.
    private static let exemptRoots: Set<Substring> = ["stores", "store", "console", "ocsp"]
    /// The routes of a store that respond although the store has not processed all due events.
    private static let exemptRoutes: Set<String> = [
        ControlEndpoints.clock.template, ControlEndpoints.setClock.template, ControlEndpoints.advance.template, HostEndpoints.exportPath,
    ]

    func handle(
        _ request: Request, context: StoreRequestContext, next: @concurrent (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        if let route = context.endpointPath, Self.needsCatchUp(route) {
            try await context.requestedStore?.storeServices.dueEvents.catchUp()
        }
        return try await next(request, context)
    }

    private static func needsCatchUp(_ route: String) -> Bool {
        guard let first = route.split(separator: "/").first else { return false }
        return !exemptRoots.contains(first) && !exemptRoutes.contains(route)
    }
}
