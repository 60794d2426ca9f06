import Hummingbird

/// The middleware that sends the notifications that a request caused before the store responds to the request.
///
/// The developer's server is therefore up to date when the client gets the response. The effects of the request are already saved; the
/// store sends a notification again later if the attempt fails. A refused request sends nothing.
struct DeliveryMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: StoreRequestContext, next: @concurrent (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        try await context.services.sender.deliverSoon()
        return response
    }
}

extension Router where Context == StoreRequestContext {
    /// The routes whose notifications the store sends before it responds.
    var deliveringNotifications: RouterGroup<StoreRequestContext> {
        group().add(middleware: DeliveryMiddleware())
    }
}
