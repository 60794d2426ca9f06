import Hummingbird
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import WireServer

/// The endpoints that list the products, and that record a signed transaction and add its credits.
struct PurchaseController: Sendable {
    let verifier: SignedDataVerifier
    let app: BundleID
    let catalog: Catalog
    let storage: any PurchaseStorage
    let recorder: PurchaseRecorder

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
            CreditRule.credits(perUnit: product.credits ?? 0, quantity: payload.quantity) != nil
        else { throw TransactionRefusal.quantity }
        guard let event = VerifiedEvent(transaction, source: "app") else { throw TransactionRefusal.quantity }
        return try await storage.write(app) { [recorder] records in
            let recorded = try recorder.record(event, in: records)
            // The credits are stated only for the transaction and the customer of the charge's first record, so 0 for a restore.
            let credit = recorded.credit.flatMap {
                $0.transactionID == payload.transactionId && $0.customer == customer ? $0.credits - $0.revoked : nil
            }
            return GrantReply(
                transactionID: payload.transactionId,
                productID: payload.productId,
                credits: Int(credit ?? 0),
                balance: Int(try records.balance(of: customer, in: .credits).amount),
                alreadyRecorded: recorded.isKnown
            )
        }
    }

    private func verified(_ signed: SignedTransaction) async throws(TransactionRefusal) -> VerifiedTransaction {
        do {
            return try await verifier.verify(signed)
        } catch {
            throw .unverified(error)
        }
    }
}
