import OpenStoreKit
import PurchaseModel
import StoreProtocol

/// A promoted in-app purchase, which the user began outside the app and which the app continues or discards.
public struct PurchaseIntent: Identifiable, Equatable, Sendable {
    /// The product that the user wants to purchase.
    public let product: Product
    /// The win-back offer of the purchase; nil for a purchase without an offer.
    public let offer: Product.SubscriptionOffer?

    /// The identifier of the product.
    public var id: Product.ID { product.id }

    /// A sequence of the purchases that the user begins outside the app, which begins with the pending purchase intents.
    ///
    /// A purchase intent counts as delivered when the app requests the next purchase intent or ends the iteration. If the app crashes
    /// earlier, the purchase intent is delivered again. If its product can't be fetched, the purchase intent is skipped now, and delivered
    /// to the next iteration or at the next launch.
    public static var intents: PurchaseIntents {
        PurchaseIntents(
            ElementSource(
                Device.unshared, { $0.promotions() }, { await PurchaseIntent($0.value, on: $1) },
                handOver: { $1.handOver($0) }))
    }

    init(product: Product, offer: Product.SubscriptionOffer?) {
        self.product = product
        self.offer = offer
    }

    private init?(_ promotion: PromotedPurchase, on device: Device) async {
        guard let product = try? await device.products([promotion.productID.rawValue]).first else { return nil }
        let offers = product.subscription?.winBackOffers ?? []
        self.init(product: product, offer: promotion.offerID.flatMap { id in offers.first { $0.id == id } })
    }
}
