/// Which products a device wants described.
public struct ProductsRequest: Codable, Hashable, Sendable {
    /// The most identifiers that one request may name.
    public static let limit = 1_000

    /// The identifiers asked for.
    public var productIDs: [ProductID]

    /// Creates a request.
    public init(productIDs: [ProductID]) {
        self.productIDs = productIDs
    }
}
