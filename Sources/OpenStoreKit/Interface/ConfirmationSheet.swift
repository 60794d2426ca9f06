public import PurchaseModel

/// The sheet that asks the user to confirm a payment.
public struct ConfirmationSheet: Hashable, Sendable {
    /// The identifier of the product.
    public let productID: ProductID
    /// The product's name.
    public let title: String
    /// The quantity, from 1 to 10.
    public let quantity: Int
    /// The price of one unit, formatted for the user.
    public let unitPrice: String
    /// The price of all units, formatted for the user.
    public let total: String

    init(_ product: StoreProduct, quantity: Int) {
        productID = product.id
        title = product.title
        self.quantity = quantity
        unitPrice = product.price.formatted(locale: product.priceLocale)
        total = product.price.times(quantity)?.formatted(locale: product.priceLocale) ?? "an amount out of range"
    }

    /// The question of the sheet, such as `Buy 100 Coins for $0.99?`.
    public var text: String {
        "Buy \(purchase)?"
    }

    /// The question whether a child requests a parent's approval, such as `Ask for permission to buy 100 Coins for $0.99?`.
    public var permissionText: String {
        "Ask for permission to buy \(purchase)?"
    }

    private var purchase: String {
        quantity == 1 ? "\(title) for \(total)" : "\(quantity) × \(title) at \(unitPrice) each, \(total) in all"
    }
}
