package import PurchaseModel

extension DeviceEndpoints {
    /// Lists products; requires no account.
    package static let products = Endpoint<ProductsRequest, ProductsReply>(.post, "/device/v1/products")
}

/// A request for product listings.
package struct ProductsRequest: Codable, Hashable, Sendable {
    /// The maximum number of identifiers in one request.
    package static let limit = 1_000

    /// The requested identifiers.
    package var productIDs: [ProductID]

    /// Creates a request.
    package init(productIDs: [ProductID]) {
        self.productIDs = productIDs
    }
}

/// The products of the store, and the unknown identifiers.
package struct ProductsReply: Codable, Hashable, Sendable {
    /// The listings of known products, in no guaranteed order.
    package var products: [StoreProduct]
    /// The identifiers that the store does not know.
    package var invalidProductIDs: [ProductID]

    /// Creates a reply.
    package init(products: [StoreProduct], invalidProductIDs: [ProductID]) {
        self.products = products
        self.invalidProductIDs = invalidProductIDs
    }
}
