import Hummingbird
import PurchaseModel
import PurchaseStorage
import ServerProtocol
import WireServer

struct LedgerController: Sendable {
    private static let pageSize = 50

    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(ServerEndpoints.balances) { _, request, context in
            let caller = try context.caller(.readCustomers)
            return try await caller.app.ledger.balances(of: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.debit) { body, request, context in
            let caller = try context.caller(.debit)
            return try await caller.app.ledger.debit(body, from: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.creditGrant) { body, request, context in
            let caller = try context.caller(.grant)
            return try await caller.app.ledger.grant(body, to: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.unfreeze) { body, request, context in
            let caller = try context.caller(.grant)
            return try await caller.app.ledger.unfreeze(body.currency ?? .credits, of: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.statement) { _, request, context in
            let caller = try context.caller(.readCustomers)
            let customer = try request.requiredCustomer(of: caller)
            let currency = try request.query("currency").map { CurrencyID($0) } ?? .credits
            let limit = try number("limit", request).map { Int(clamping: $0) } ?? Self.pageSize
            return try await caller.app.ledger.statement(of: customer, in: currency, before: number("before", request), limit: limit)
        }
    }

    /// Returns the value of a query parameter as a number; nil if the parameter is absent.
    private func number(_ name: String, _ request: Request) throws -> Int64? {
        guard let text = try request.query(name) else { return nil }
        guard let number = Int64(text), number > 0 else { throw LedgerRefusal.page }
        return number
    }
}
