import OpenStoreKit
package import PurchaseModel
package import StoreKit

/// The products that the server lists, with their descriptions and prices in the store.
package struct ProductListing: Sendable {
    /// The products that the server lists.
    package let listed: [ServerProduct]
    /// The listed products that the store sells, in the order of the server's list.
    package let products: [SKProduct]
    /// The identifiers of listed products that the store does not sell.
    package let invalid: [ProductID]

    /// Accesses the store's product with an identifier; nil if the store does not sell the product.
    package subscript(_ id: ProductID) -> SKProduct? {
        products.first { $0.productIdentifier == id.rawValue }
    }
}
