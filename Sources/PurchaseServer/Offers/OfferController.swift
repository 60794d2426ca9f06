import Hummingbird
import PurchaseModel
import PurchaseStorage
import ServerProtocol
import WireServer

/// The endpoints for a customer's offers.
struct OfferController: Sendable {
    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(ServerEndpoints.offers) { _, request, context in
            let caller = try context.caller(.readCustomers)
            return try await caller.app.offers.list(of: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.promotionalOffer) { body, request, context in
            let caller = try context.caller(.signOffers)
            return try await caller.app.offers.promotional(body, for: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.introductoryOffer) { body, request, context in
            let caller = try context.caller(.signOffers)
            // Only a backend can override the eligibility that follows from the customer's transactions.
            guard body.isEligible == nil || caller.isBackend else { throw OfferSigningRefusal.decision }
            return try await caller.app.offers.introductory(body, for: request.requiredCustomer(of: caller))
        }
    }
}
