public import PurchaseModel

/// The sheet that asks the user to consent to a price increase; without consent, the subscription does not renew.
public struct PriceConsentSheet: Hashable, Sendable {
    /// The identifier of the subscription's product.
    public let productID: ProductID
    /// The product's name; its identifier if the store's description is not available.
    public let title: String
    /// The new price of a period, formatted for the user; nil if the store's description is not available.
    public let price: String?

    init(_ productID: ProductID, _ product: StoreProduct?) {
        self.productID = productID
        title = product?.title ?? productID.rawValue
        price = product.map { $0.price.formatted(locale: $0.priceLocale) }
    }

    /// The question of the sheet, such as `Pro will cost $9.99 per period. Do you agree?`.
    public var text: String {
        price.map { "\(title) will cost \($0) per period. Do you agree?" } ?? "\(title) will cost more. Do you agree?"
    }
}
