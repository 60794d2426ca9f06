/// A product as the developer's server knows it.
public struct ServerProduct: Codable, Hashable, Sendable {
    /// The product's identifier.
    public var id: ProductID
    /// How many credits one of it adds to the customer's balance.
    public var credits: Int?
    /// The file that it unlocks, a name in the server's content folder.
    public var file: String?

    /// Creates a product.
    public init(id: ProductID, credits: Int? = nil, file: String? = nil) {
        self.id = id
        self.credits = credits
        self.file = file
    }
}
