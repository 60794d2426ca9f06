import HTTPTypes
import Hummingbird

/// Finds the store that a request is for, and passes the request on with what is left of its path.
///
/// So every route is written once and works for each store; nothing of a store is reached but through its address.
struct StoreResponder: HTTPResponder {
    let host: StoreHost
    let router: RouterResponder<StoreRequestContext>

    func respond(to request: Request, context: StoreRequestContext) async throws -> Response {
        let address = StoreAddress(path: request.head.path ?? "/", host: request.head.authority)
        var context = context
        context.environment = address.environment
        context.addressed = host.store(named: address.store)
        var head = request.head
        head.path = address.path
        return try await router.respond(to: Request(head: head, body: request.body), context: context)
    }
}
