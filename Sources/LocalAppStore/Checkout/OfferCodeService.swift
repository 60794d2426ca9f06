import PurchaseModel
import StoreProtocol

/// The service that redeems offer codes.
struct OfferCodeService: Sendable {
    let context: StoreContext
    let checkout: CheckoutService

    /// Redeems an offer code, which is the reference name of an offer in the catalog.
    ///
    /// The device's account purchases the first product that has the offer.
    func redeem(_ request: RedeemRequest, by session: SessionRecord) async throws -> PurchaseReply {
        let catalog = try context.apps.require(session.bundleID).catalog
        let found = catalog.products.lazy.compactMap { product in
            product.subscription?.offers.first { $0.kind == .code && $0.id == request.code }.map { (product: product.id, offer: $0) }
        }.first
        guard let found else {
            return .refused(PurchaseRefusal.invalidOfferIdentifier)
        }
        let purchase = PurchaseRequest(
            payment: request.payment, productID: found.product, quantity: 1, appAccountToken: nil,
            offer: OfferChoice(kind: .code, id: request.code), billingPlan: found.offer.billingPlan
        )
        return try await checkout.buy(purchase, by: session)
    }
}
