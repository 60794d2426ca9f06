import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// Sells what an offer code stands for: the first product that has an offer with the code as its reference name.
    func redeem(_ request: RedeemRequest, by session: SessionRecord) async throws -> PurchaseReply {
        let catalog = try apps.require(session.bundleID).catalog
        let product = catalog.products.first { product in
            product.subscription?.offers.contains { $0.kind == .code && $0.id == request.code } == true
        }
        guard let product else {
            let refusal = PurchaseRefusal.offerUnknown
            return .refused(code: refusal.code, message: refusal.message)
        }
        let purchase = PurchaseRequest(
            payment: request.payment, productID: product.id, quantity: 1, appAccountToken: nil,
            offer: OfferChoice(kind: .code, id: request.code)
        )
        return try await buy(purchase, by: session)
    }
}
