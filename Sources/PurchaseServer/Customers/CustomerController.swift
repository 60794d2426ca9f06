import Hummingbird
import PurchaseModel
import PurchaseStorage
import ServerProtocol
import Wire
import WireServer

/// The endpoints that create customers, issue customer tokens, and delete customers' data.
struct CustomerController: Sendable {
    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(ServerEndpoints.createCustomer) { body, _, context in
            // Accept a UUID only from a backend, because an app could choose a UUID that a backend or a purchase uses later.
            let caller = try context.caller(body.customer == nil ? .submitPurchases : .manageCustomers)
            return try await caller.app.customers.createAnonymous(body.customer)
        }
        router.mount(ServerEndpoints.customer) { _, request, context in
            let caller = try context.caller(.readCustomers)
            return try await caller.app.customers.describe(request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.customerToken) { _, request, context in
            let caller = try context.caller(.manageCustomers)
            return try await caller.app.customers.issueToken(for: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.addAlias) { body, request, context in
            let caller = try context.caller(.manageCustomers)
            return try await caller.app.customers.addAlias(body.alias, to: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.removeAlias) { body, request, context in
            let caller = try context.caller(.manageCustomers)
            return try await caller.app.customers.removeAlias(body.alias, of: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.undoMerge) { body, request, context in
            let caller = try context.caller(.manageCustomers)
            return try await caller.app.customers.undoMerge(of: body.customer, into: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.deleteCustomer) { _, request, context in
            let caller = try context.caller(.manageCustomers)
            try await caller.app.customers.delete(request.requiredCustomer(of: caller))
            return Empty()
        }
    }
}
