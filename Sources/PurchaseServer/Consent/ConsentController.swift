import Hummingbird
import PurchaseModel
import ServerProtocol
import WireServer

/// The endpoints for a customer's consent, which the app requests in its own words.
struct ConsentController: Sendable {
    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(ServerEndpoints.consent) { _, request, context in
            let caller = try context.caller(.readCustomers)
            return try await caller.app.consent.read(of: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.setConsent) { body, request, context in
            // An app that may submit purchases may state its own customer's decision.
            let caller = try context.caller(.submitPurchases)
            return try await caller.app.consent.set(body, of: request.requiredCustomer(of: caller))
        }
    }
}

/// The consents of an app's customers to sharing consumption data with Apple.
struct ConsentService: Sendable {
    let app: BundleID
    let storage: any PurchaseStorage
    let clock: any WallClock

    /// Returns the consent of a customer.
    func read(of reference: CustomerReference) async throws -> ConsentReply {
        try await storage.read(app) { records in
            ConsentReply(since: try records.customer(reference).flatMap { try records.consumptionConsent(of: $0) })
        }
    }

    /// Records the consent of a customer, or its withdrawal; a repeated consent keeps its first date.
    func set(_ request: ConsentRequest, of reference: CustomerReference) async throws -> ConsentReply {
        try await storage.write(app) { [clock] records in
            let customer = try records.customerOrNew(reference, at: clock.now)
            let since = try records.consumptionConsent(of: customer)
            let date = request.consumption ? since ?? clock.now : nil
            if date != since { try records.setConsumptionConsent(date, of: customer) }
            return ConsentReply(since: date)
        }
    }
}
