import Hummingbird
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import WireServer

/// The endpoints that list the products, and that record a signed transaction and add its credits.
struct TransactionController: Sendable {
    let verifier: SignedDataVerifier
    let catalog: Catalog
    let storage: any PurchaseStorage

    func addRoutes(to router: some RouterMethods<some RequestContext>) {
        router.mount(ServerEndpoints.products) { _, _, _ in ServerProductsReply(products: catalog.products) }
        router.mount(ServerEndpoints.transactions) { body, _, _ in try await record(body.signedTransaction) }
    }

    private func record(_ signed: SignedTransaction) async throws -> GrantReply {
        let transaction = try await verified(signed)
        let payload = transaction.payload
        guard let customer = payload.appAccountToken, customer.isWellFormed else { throw TransactionRefusal.noCustomer }
        guard let product = catalog[payload.productId] else { throw TransactionRefusal.unknownProduct(payload.productId) }
        guard (1...10).contains(payload.quantity),
            let credits = CreditRule.credits(perUnit: product.credits ?? 0, quantity: payload.quantity)
        else { throw TransactionRefusal.quantity }
        let grant = try await storage.record(transaction, for: customer, credits: credits)
        return GrantReply(
            transactionID: payload.transactionId,
            productID: payload.productId,
            credits: grant.credits,
            balance: grant.balance,
            alreadyRecorded: grant.alreadyRecorded
        )
    }

    private func verified(_ signed: SignedTransaction) async throws(TransactionRefusal) -> VerifiedTransaction {
        do {
            return try await verifier.verify(signed)
        } catch {
            throw .unverified(error)
        }
    }
}
