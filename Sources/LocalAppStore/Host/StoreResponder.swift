import HTTPTypes
import Hummingbird

/// The responder that determines the store of a request from its path, removes the path's prefix, and passes the request to the router.
///
/// The routes are therefore the same for every store, and a request can access only the store that its path names.
struct StoreResponder: HTTPResponder {
    let host: StoreHost
    let router: RouterResponder<StoreRequestContext>

    func respond(to request: Request, context: StoreRequestContext) async throws -> Response {
        let address = StoreAddress(path: request.head.path ?? "/", host: request.head.authority)
        var context = context
        (context.environment, context.environmentPrefix) = (address.environment, address.environmentPrefix)
        context.requestedStore = host.store(named: address.store)
        var head = request.head
        head.path = address.path
        return try await router.respond(to: Request(head: head, body: request.body), context: context)
    }
}
