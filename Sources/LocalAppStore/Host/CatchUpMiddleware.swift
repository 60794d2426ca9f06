import Hummingbird

/// Lets everything happen that is due before a request is looked at, so that no answer is behind the store's time.
struct CatchUpMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: StoreRequestContext, next: @concurrent (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        try await context.addressed?.ledger.catchUp()
        return try await next(request, context)
    }
}
