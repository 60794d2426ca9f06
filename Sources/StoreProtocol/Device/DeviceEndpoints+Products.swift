package import PurchaseModel
package import Wire

extension DeviceEndpoints {
    /// Lists the requested products; requires no sign-in.
    package static let products = Endpoint<ProductsRequest, ProductsReply>(.post, "/device/v1/products")
}

/// A request for descriptions of products.
package struct ProductsRequest: Codable, Hashable, Sendable {
    /// The maximum number of identifiers in one request.
    package static let limit = 1_000

    /// The identifiers of the requested products, at most ``limit``.
    package var productIDs: [ProductID]

    /// Creates a request.
    package init(productIDs: [ProductID]) {
        self.productIDs = productIDs
    }
}

/// The descriptions of the requested products, and the identifiers that the store does not know.
package struct ProductsReply: Codable, Hashable, Sendable {
    /// The descriptions of the products, in no guaranteed order.
    package var products: [StoreProduct]
    /// The requested identifiers that the store does not know.
    package var invalidProductIDs: [ProductID]

    /// Creates a reply.
    package init(products: [StoreProduct], invalidProductIDs: [ProductID]) {
        self.products = products
        self.invalidProductIDs = invalidProductIDs
    }
}
