import Hummingbird
import PurchaseModel
import PurchaseProof
import PurchaseStorage
import ServerProtocol
import WireServer

struct EntitlementController: Sendable {
    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(ServerEndpoints.entitlements) { _, request, context in
            let caller = try context.caller(.readCustomers)
            let customer = try request.requiredCustomer(of: caller)
            let included = try request.query("include")
            let date = try date(request)
            // Refuse a date in a request for evidence, because evidence exists for the current entitlements only.
            guard included == nil || included == "evidence" && date == nil else { throw EntitlementRefusal.include }
            let last = try request.query("after").map { TransactionID($0) }
            guard last == nil || included != nil else { throw EntitlementRefusal.include }
            return try await caller.app.entitlements.list(of: customer, at: date, withEvidence: included != nil, after: last)
        }
        router.mount(ServerEndpoints.entitlement) { _, request, context in
            let caller = try context.caller(.readCustomers)
            let customer = try request.requiredCustomer(of: caller)
            return try await caller.app.entitlements.read(try context.entitlement(), of: customer, at: date(request))
        }
        router.mount(ServerEndpoints.explainEntitlement) { _, request, context in
            let caller = try context.caller(.readCustomers)
            return try await caller.app.entitlements.explain(try context.entitlement(), of: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.grantEntitlement) { body, request, context in
            let caller = try context.caller(.grant)
            let customer = try request.requiredCustomer(of: caller)
            return try await caller.app.entitlements.grant(try context.entitlement(), to: customer, body)
        }
        router.mount(ServerEndpoints.revokeGrants) { _, request, context in
            let caller = try context.caller(.grant)
            return try await caller.app.entitlements.revokeGrants(try context.entitlement(), of: request.requiredCustomer(of: caller))
        }
    }

    /// Returns the date of the query parameter `at`, in RFC 3339 or in milliseconds since 1970; nil without the parameter.
    private func date(_ request: Request) throws -> Timestamp? {
        guard let text = try request.query("at") else { return nil }
        if let milliseconds = Int64(text) { return Timestamp(milliseconds: milliseconds) }
        guard let date = Timestamp(rfc3339: text) else { throw EntitlementRefusal.date }
        return date
    }
}

extension ServerContext {
    fileprivate func entitlement() throws -> EntitlementName { EntitlementName(try parameter("entitlement")) }
}
