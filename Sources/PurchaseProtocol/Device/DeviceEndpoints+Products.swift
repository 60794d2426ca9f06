package import PurchaseModel

extension DeviceEndpoints {
    /// Describes products; needs no account.
    package static let products = Endpoint<ProductsRequest, ProductsReply>(.post, "/device/v1/products")
}

/// Which products a device wants described.
package struct ProductsRequest: Codable, Hashable, Sendable {
    /// The most identifiers that one request may name.
    package static let limit = 1_000

    /// The identifiers asked for.
    package var productIDs: [ProductID]

    /// Creates a request.
    package init(productIDs: [ProductID]) {
        self.productIDs = productIDs
    }
}

/// The products that the store sells, and the identifiers that it does not know.
package struct ProductsReply: Codable, Hashable, Sendable {
    /// Descriptions of the known ones, in no promised order.
    package var products: [StoreProduct]
    /// The unknown ones.
    package var invalidProductIDs: [ProductID]

    /// Creates a reply.
    package init(products: [StoreProduct], invalidProductIDs: [ProductID]) {
        self.products = products
        self.invalidProductIDs = invalidProductIDs
    }
}
