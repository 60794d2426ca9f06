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

    /// Returns the names of the entitlements that a purchase of a product gives.
    ///
    /// A product that is not in the catalog gives an entitlement with its own identifier, so that a customer who paid is not refused
    /// because of the server's configuration.
    func entitlements(of id: ProductID) -> [EntitlementName] {
        self[id]?.entitlements ?? [EntitlementName(id.rawValue)]
    }
}

/// A source of the current catalog, which can change while the server runs.
protocol CatalogSource: Sendable {
    /// The current catalog.
    var catalog: Catalog { get }
}

extension Catalog: CatalogSource {
    var catalog: Catalog { self }
}
