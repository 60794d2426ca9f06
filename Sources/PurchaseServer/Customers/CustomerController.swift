import Hummingbird
import PurchaseModel
import PurchaseProtocol
import WireServer

/// The endpoints that return a customer's access to a product and balance of credits, and that debit credits.
struct CustomerController: Sendable {
    let app: BundleID
    let storage: any PurchaseStorage
    let ledger: LedgerService
    let clock: any WallClock

    func addRoutes(to router: some RouterMethods<some RequestContext>) {
        router.mount(ServerEndpoints.access) { _, _, context in
            try await access(of: context.customer(), to: ProductID(try context.parameter("product")))
        }
        router.mount(ServerEndpoints.balance) { _, _, context in
            let customer = try context.customer()
            return BalanceReply(customer: customer, balance: Int(try await ledger.balance(of: customer)))
        }
        router.mount(ServerEndpoints.spend) { body, _, context in
            try await spend(body, by: context.customer())
        }
    }

    /// Returns a customer's access to a product, from the newest purchase that grants access, or else from the newest purchase.
    private func access(of customer: CustomerID, to product: ProductID) async throws -> AccessReply {
        let now = clock.now
        let entitlements = try await storage.read(app) { records in
            try records.purchases(of: customer).map(\.entitlement).filter { $0.productID == product }
        }
        let newestFirst = entitlements.sorted { $0.signedDate > $1.signedDate }.map { $0.access(at: now) }
        let best = newestFirst.first(where: \.isGranted) ?? newestFirst.first ?? .unknownPurchase
        return AccessReply(customer: customer, productID: product, access: best)
    }

    private func spend(_ request: SpendRequest, by customer: CustomerID) async throws -> BalanceReply {
        guard (1...100).contains(request.spending.utf8.count), IdentifierText.isValid(request.spending) else {
            throw CustomerRefusal.spendingMalformed
        }
        guard (1...1_000_000).contains(request.amount) else { throw CustomerRefusal.amount }
        let balance = try await ledger.debit(Int64(request.amount), key: request.spending, from: customer)
        return BalanceReply(customer: customer, balance: Int(balance))
    }
}
