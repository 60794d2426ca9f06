import PurchaseModel

/// The products of the server, in their order and by identifier.
struct Catalog: Sendable {
    /// Every product, in the order of the configuration.
    let products: [ServerProduct]
    private let byID: [ProductID: ServerProduct]

    /// Creates a catalog; the first of several products with the same identifier counts.
    init(_ products: [ServerProduct]) {
        self.products = products
        byID = Dictionary(products.map { ($0.id, $0) }) { first, _ in first }
    }

    /// The product with this identifier; nil for an unknown product.
    subscript(id: ProductID) -> ServerProduct? { byID[id] }
}
