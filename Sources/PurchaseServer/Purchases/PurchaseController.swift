import Hummingbird
import PurchaseModel
import PurchaseProtocol
import WireServer

/// The endpoints that list the products, and that verify and record purchases.
struct PurchaseController: Sendable {
    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(ServerEndpoints.products) { _, _, context in
            ServerProductsReply(products: try context.caller(.submitPurchases).app.catalog.catalog.products)
        }
        router.mount(ServerEndpoints.purchases) { body, request, context in
            let caller = try context.caller(.submitPurchases)
            return try await caller.app.purchases.submit(
                body, for: request.customerReference(of: caller), isBackend: caller.isBackend)
        }
    }
}
