/// The master list of products.
public struct ServerProductsReply: Codable, Hashable, Sendable {
    /// Every product, in the order of the list.
    public var products: [ServerProduct]

    /// Creates a reply.
    public init(products: [ServerProduct]) {
        self.products = products
    }
}
