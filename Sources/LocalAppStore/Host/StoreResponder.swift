import HTTPTypes
import Hummingbird

/// Determines the store of a request and passes the request on without the path prefix.
///
/// Each route is therefore written once and works for every store; a request can access only the store that its address names.
struct StoreResponder: HTTPResponder {
    let host: StoreHost
    let router: RouterResponder<StoreRequestContext>

    func respond(to request: Request, context: StoreRequestContext) async throws -> Response {
        let address = StoreAddress(path: request.head.path ?? "/", host: request.head.authority)
        var context = context
        context.environment = address.environment
        context.requestedStore = host.store(named: address.store)
        var head = request.head
        head.path = address.path
        return try await router.respond(to: Request(head: head, body: request.body), context: context)
    }
}
