import Hummingbird

/// Lets everything happen that is due before a request is looked at, so that no answer is behind the store's time.
struct CatchUpMiddleware<Context: RequestContext>: RouterMiddleware {
    let ledger: StoreLedger

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        try await ledger.catchUp()
        return try await next(request, context)
    }
}
