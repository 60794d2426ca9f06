public import PurchaseModel

/// What the user sees before paying.
public struct ConfirmationSheet: Hashable, Sendable {
    /// The product.
    public let productID: ProductID
    /// Its name; the identifier when the store's description is not at hand.
    public let title: String
    /// How many, from 1 to 10.
    public let quantity: Int
    /// The price of one, as the user reads it.
    public let unitPrice: String
    /// The price of all, as the user reads it.
    public let total: String

    init(_ product: StoreProduct, quantity: Int) {
        productID = product.id
        title = product.title
        self.quantity = quantity
        unitPrice = product.price.formatted(locale: product.priceLocale)
        total = product.price.times(quantity)?.formatted(locale: product.priceLocale) ?? "too much"
    }

    /// The sheet's sentence.
    public var text: String {
        "Buy \(purchase)?"
    }

    /// The sentence of the sheet that a child sees whose parent must approve the payment.
    public var permissionText: String {
        "Ask for permission to buy \(purchase)?"
    }

    private var purchase: String {
        quantity == 1 ? "\(title) for \(total)" : "\(quantity) × \(title) at \(unitPrice) each, \(total) in all"
    }
}
