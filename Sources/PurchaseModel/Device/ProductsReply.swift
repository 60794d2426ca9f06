/// The products that the store sells, and the identifiers that it does not know.
public struct ProductsReply: Codable, Hashable, Sendable {
    /// Descriptions of the known ones, in no promised order.
    public var products: [StoreProduct]
    /// The unknown ones.
    public var invalidProductIDs: [ProductID]

    /// Creates a reply.
    public init(products: [StoreProduct], invalidProductIDs: [ProductID]) {
        self.products = products
        self.invalidProductIDs = invalidProductIDs
    }
}
