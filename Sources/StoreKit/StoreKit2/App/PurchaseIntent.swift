import OpenStoreKit
import PurchaseModel
import PurchaseProtocol

/// What the user chose to buy outside the app, on its page in the store; the app decides whether to buy it now.
public struct PurchaseIntent: Identifiable, Equatable, Sendable {
    /// The product.
    public let product: Product
    /// The win-back offer that goes with it; nil for none.
    public let offer: Product.SubscriptionOffer?

    /// The product's identifier.
    public var id: Product.ID { product.id }

    /// What the user chooses; what was chosen before anybody listened comes first.
    ///
    /// An intent counts as told when the app asks for the next one, or ends the iteration; one that a crash interrupts comes again, and so
    /// does, at the next launch or for the next who listens, one whose product the store did not describe.
    public static var intents: PurchaseIntents {
        PurchaseIntents(
            Supply(
                Device.own, { $0.promotions() }, { await PurchaseIntent($0.value, on: $1) },
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
