/// A product in the catalog of the developer's server.
public struct ServerProduct: Codable, Hashable, Sendable {
    /// The product's identifier.
    public var id: ProductID
    /// The credits that one unit of the product adds to the customer's balance; nil for a product without credits.
    public var credits: Int?
    /// The name of the product's file in the server's content folder; nil for a product without content.
    public var file: String?

    /// Creates a product.
    public init(id: ProductID, credits: Int? = nil, file: String? = nil) {
        self.id = id
        self.credits = credits
        self.file = file
    }
}
