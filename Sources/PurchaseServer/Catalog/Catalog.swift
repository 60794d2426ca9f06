import PurchaseModel

/// The master list of products, in its order and by identifier.
struct Catalog: Sendable {
    /// Every product, in the order of the list.
    let products: [ServerProduct]
    private let byID: [ProductID: ServerProduct]

    /// Creates the list; of two products with the same identifier the first counts.
    init(_ products: [ServerProduct]) {
        self.products = products
        byID = Dictionary(products.map { ($0.id, $0) }) { first, _ in first }
    }

    /// The product with that identifier.
    subscript(id: ProductID) -> ServerProduct? { byID[id] }
}
