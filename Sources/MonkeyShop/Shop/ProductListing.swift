import OpenStoreKit
package import PurchaseModel
package import StoreKit

/// The products of the server's list, with the store's descriptions and prices.
package struct ProductListing: Sendable {
    /// The server's list.
    package let listed: [ServerProduct]
    /// The store's descriptions, in the order of the list.
    package let products: [SKProduct]
    /// The listed products that the store does not sell.
    package let invalid: [ProductID]

    /// The store's description of a product; nil when the store does not sell the product.
    package subscript(_ id: ProductID) -> SKProduct? {
        products.first { $0.productIdentifier == id.rawValue }
    }
}
