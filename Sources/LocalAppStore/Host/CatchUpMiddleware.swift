import Hummingbird
import PurchaseModel
import PurchaseProtocol

/// Lets everything happen that is due before a request is looked at, so that no answer is behind the store's time.
///
/// Where more is due than a turn's work the request is refused with 503 and `Retry-After`. What concerns the host and the time itself
/// is answered all the same, so that a store which is far behind can be stopped, copied and removed.
struct CatchUpMiddleware: RouterMiddleware {
    /// Routes that do not depend on a store's time.
    private static let timeless: Set<Substring> = ["stores", "store", "console", "ocsp"]
    /// Routes of a store that answer while it is behind.
    private static let late: Set<String> = [
        ControlEndpoints.clock.template, ControlEndpoints.setClock.template, ControlEndpoints.advance.template, HostEndpoints.exportPath,
    ]

    func handle(
        _ request: Request, context: StoreRequestContext, next: @concurrent (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        if let route = context.endpointPath, Self.needsTime(route) { try await context.addressed?.ledger.catchUp() }
        return try await next(request, context)
    }

    private static func needsTime(_ route: String) -> Bool {
        guard let first = route.split(separator: "/").first else { return false }
        return !timeless.contains(first) && !late.contains(route)
    }
}
