public import PurchaseModel

/// The sheet that asks the user to confirm a payment.
public struct ConfirmationSheet: Hashable, Sendable {
    /// The product.
    public let productID: ProductID
    /// The product's name; its identifier when the store's description is not available.
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

    /// The text of the sheet.
    public var text: String {
        "Buy \(purchase)?"
    }

    /// The text of the sheet that asks a child whether to request a parent's approval.
    public var permissionText: String {
        "Ask for permission to buy \(purchase)?"
    }

    private var purchase: String {
        quantity == 1 ? "\(title) for \(total)" : "\(quantity) × \(title) at \(unitPrice) each, \(total) in all"
    }
}
