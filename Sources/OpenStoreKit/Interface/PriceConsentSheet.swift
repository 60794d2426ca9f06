public import PurchaseModel

/// What the user sees when a subscription gets dearer and goes on only with their consent.
public struct PriceConsentSheet: Hashable, Sendable {
    /// The subscription.
    public let productID: ProductID
    /// Its name; the identifier when the store's description is not at hand.
    public let title: String
    /// What a period will cost, as the user reads it; nil when the store's description is not at hand.
    public let price: String?

    init(_ productID: ProductID, _ product: StoreProduct?) {
        self.productID = productID
        title = product?.title ?? productID.rawValue
        price = product.map { $0.price.formatted(locale: $0.priceLocale) }
    }

    /// The sheet's sentence.
    public var text: String {
        price.map { "\(title) will cost \($0) per period. Do you agree?" } ?? "\(title) will cost more. Do you agree?"
    }
}
