public import OpenStoreKit
public import PurchaseModel

/// What the shop shows: the products of the server's list, with the store's prices.
public struct Shelf: Sendable {
    /// The server's list.
    public let listed: [ServerProduct]
    /// The store's descriptions, in the order of the list.
    public let products: [SKProduct]
    /// What the store does not sell.
    public let invalid: [ProductID]

    /// The store's description of a product; nil when it is not sold.
    public subscript(_ id: ProductID) -> SKProduct? {
        products.first { $0.productIdentifier == id.rawValue }
    }
}
