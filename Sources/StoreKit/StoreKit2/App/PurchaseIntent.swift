import OpenStoreKit
import PurchaseModel
import PurchaseProtocol

/// A promoted in-app purchase that the user began outside the app; the app decides whether to continue it now.
public struct PurchaseIntent: Identifiable, Equatable, Sendable {
    /// The product.
    public let product: Product
    /// The win-back offer of the purchase; nil for none.
    public let offer: Product.SubscriptionOffer?

    /// The product's identifier.
    public var id: Product.ID { product.id }

    /// The purchases that the user begins outside the app; pending intents come first.
    ///
    /// An intent counts as delivered when the app requests the next one, or ends the iteration; a crash before that repeats the
    /// delivery. An intent whose product the store did not describe is delivered again to the next listener, or at the next launch.
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
