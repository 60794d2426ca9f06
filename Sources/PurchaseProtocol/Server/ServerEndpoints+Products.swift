package import PurchaseModel

extension ServerEndpoints {
    /// The master list of products.
    package static let products = Endpoint<Empty, ServerProductsReply>(.get, "/v1/products")
}

/// The master list of products.
package struct ServerProductsReply: Codable, Hashable, Sendable {
    /// Every product, in the order of the list.
    package var products: [ServerProduct]

    /// Creates a reply.
    package init(products: [ServerProduct]) {
        self.products = products
    }
}
