import Hummingbird
import PurchaseModel
import PurchaseProtocol
import WireServer

/// The endpoints for content: one issues a download token for a customer, one sends the file for a download token.
struct ContentController: Sendable {
    let apps: Apps

    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(ServerEndpoints.downloadToken) { _, request, context in
            let caller = try context.caller(.readCustomers)
            return try await caller.app.content.issueToken(for: product(context), to: request.requiredCustomer(of: caller))
        }
    }

    /// Adds the route of downloads, which authenticates requests with a download token instead of an API key.
    func addDownloadRoute(to router: some RouterMethods<ServerContext>) {
        // The response is not JSON, so the route is not mounted as an endpoint.
        router.get(RouterPath(ServerEndpoints.content.template)) { request, context in
            let product = try product(context)
            guard let token = request.bearerToken else { throw ContentRefusal.tokenMissing }
            return Response.content(try await file(of: product, token: token), for: request, on: context.eventLoop)
        }
    }

    private func product(_ context: ServerContext) throws -> ProductID {
        ProductID(try context.parameter("product"))
    }

    /// Returns the file of a product from the app whose key signed the token.
    private func file(of product: ProductID, token: String) async throws -> ContentFile {
        for app in apps.all {
            do {
                return try await app.content.file(of: product, token: token)
            } catch ContentRefusal.tokenRefused, ContentRefusal.noFile {
                continue
            }
        }
        throw apps.all.contains { $0.catalog.catalog[product]?.file != nil } ? ContentRefusal.tokenRefused : ContentRefusal.noFile(product)
    }
}
