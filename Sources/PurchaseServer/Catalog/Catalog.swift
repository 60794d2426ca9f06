import PurchaseModel

/// The server's products, in the order of the configuration and by identifier.
struct Catalog: Sendable {
    /// Every product, in the order of the configuration.
    let products: [ServerProduct]
    private let byID: [ProductID: ServerProduct]

    /// Creates a catalog; of several products with the same identifier, the first is found by identifier.
    init(_ products: [ServerProduct]) {
        self.products = products
        byID = Dictionary(products.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Accesses the product with the given identifier; nil for an unknown product.
    subscript(id: ProductID) -> ServerProduct? { byID[id] }
}
