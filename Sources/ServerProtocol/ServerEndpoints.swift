package import PurchaseModel
package import Wire

/// The API of the developer's server, for the app and for backends.
package enum ServerEndpoints {}

extension ServerEndpoints {
    /// Lists the available products; the query parameter `language` selects the texts of one language.
    package static let products = Endpoint<Empty, ServerProductsReply>(.get, "/v1/products")
    /// Adds or replaces products of the catalog; for operators.
    package static let putProducts = Endpoint<ServerProductsReply, ServerProductsReply>(.post, "/v1/products")
    /// Removes a product that was added through the API; for operators.
    package static let removeProduct = Endpoint<Empty, ServerProductsReply>(.delete, "/v1/products/{product}")
}

/// The products of an app's catalog.
package struct ServerProductsReply: Codable, Hashable, Sendable {
    /// Every product, in the order of the catalog.
    package var products: [ServerProduct]

    package init(products: [ServerProduct]) {
        self.products = products
    }
}
