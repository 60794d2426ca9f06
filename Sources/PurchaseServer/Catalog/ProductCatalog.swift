package import PurchaseModel
import PurchaseStorage

/// An app's products, in the order of the configuration and by identifier.
package struct ProductCatalog: Sendable {
    /// Every product, in the order of the configuration.
    package let products: [ServerProduct]
    /// The entitlements and currencies that a backend can grant in addition to those of the products.
    let declared: DeclaredNames
    private let byID: [ProductID: ServerProduct]

    /// Creates a catalog; of several products with the same identifier, a look-up by identifier finds the first product.
    init(_ products: [ServerProduct], declared: DeclaredNames = DeclaredNames()) {
        self.products = products
        self.declared = declared
        byID = Dictionary(products.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Accesses the product with the given identifier; nil for an unknown product.
    package subscript(id: ProductID) -> ServerProduct? { byID[id] }

    /// Returns the names of the entitlements that a purchase of a product gives.
    ///
    /// A product without a list of entitlements, or outside of the catalog, gives an entitlement with the product's identifier, so that an
    /// incomplete configuration ends no paying customer's access. A consumable gives only the entitlements that the catalog lists, because
    /// a consumed purchase usually gives no lasting access.
    ///
    /// - Parameters:
    ///   - id: The product.
    ///   - type: The type that signed data states; nil if it is unknown. The type in the catalog takes precedence.
    func entitlements(of id: ProductID, type: ProductType? = nil) -> [EntitlementName] {
        let product = self[id]
        if let named = product?.entitlements { return named }
        return (product?.type ?? type) == .consumable ? [] : [EntitlementName(id.rawValue)]
    }

    /// Returns whether a purchase can give an entitlement at any time; false for a consumable without entitlements.
    func gives(_ purchase: PurchaseRecord) -> Bool {
        purchase.timeline.entitlements.contains { entitlement in
            (self[entitlement.productID]?.type ?? entitlement.productType) != .consumable || !entitlements(of: entitlement).isEmpty
        }
    }

    /// Returns the names of the entitlements that a purchase gives.
    func entitlements(of entitlement: Entitlement) -> [EntitlementName] {
        entitlements(of: entitlement.productID, type: entitlement.productType)
    }
}

/// A source of the current catalog, which can change while the server runs.
package protocol CatalogSource: Sendable {
    /// The current catalog.
    var catalog: ProductCatalog { get }
    /// The current catalog with its revision in the database; 0 for a catalog without a database.
    var versioned: (catalog: ProductCatalog, revision: Int64) { get }
}

extension ProductCatalog: CatalogSource {
    package var catalog: ProductCatalog { self }
    package var versioned: (catalog: ProductCatalog, revision: Int64) { (self, 0) }
}
