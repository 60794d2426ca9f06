package import PurchaseModel

extension ServerEndpoints {
    /// Lists the products of the server's catalog.
    package static let products = Endpoint<Empty, ServerProductsReply>(.get, "/v1/products")
}

/// The products of the server's catalog.
package struct ServerProductsReply: Codable, Hashable, Sendable {
    /// Every product, in the order of the catalog.
    package var products: [ServerProduct]

    /// Creates a reply.
    package init(products: [ServerProduct]) {
        self.products = products
    }
}
