import Hummingbird
import PurchaseModel
import PurchaseProtocol
import WireServer

/// The endpoint that verifies and records purchases.
struct PurchaseController: Sendable {
    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(ServerEndpoints.purchases) { body, request, context in
            let caller = try context.caller(.submitPurchases)
            return try await caller.app.purchases.submit(
                body, for: request.customerReference(of: caller), isBackend: caller.isBackend)
        }
    }
}
