import Hummingbird
import PurchaseModel
import PurchaseStorage
import ServerProtocol
import WireServer

/// The endpoints for a customer's consent to sharing consumption data with Apple; the app itself obtains the consent.
struct ConsentController: Sendable {
    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(ServerEndpoints.consent) { _, request, context in
            let caller = try context.caller(.readCustomers)
            return try await caller.app.customers.consent(of: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.setConsent) { body, request, context in
            // Require only the scope of an app's key, because a customer token limits the app to the token's customer.
            let caller = try context.caller(.submitPurchases)
            return try await caller.app.customers.setConsent(body, of: request.requiredCustomer(of: caller))
        }
    }
}

extension CustomerService {
    /// Returns the consent of a customer to sharing consumption data.
    func consent(of reference: CustomerReference) async throws -> ConsentReply {
        try await storage.read(app) { records in
            ConsentReply(since: try records.customer(reference).flatMap { try records.consumptionConsent(of: $0) })
        }
    }

    /// Records a customer's consent or withdrawal; a repeated consent does not change the date.
    func setConsent(_ request: ConsentRequest, of reference: CustomerReference) async throws -> ConsentReply {
        try await storage.write(app) { [clock] records in
            let customer = try records.customerOrNew(reference, at: clock.now)
            let since = try records.consumptionConsent(of: customer)
            let date = request.consumption ? since ?? clock.now : nil
            if date != since { try records.setConsumptionConsent(date, of: customer) }
            return ConsentReply(since: date)
        }
    }
}
