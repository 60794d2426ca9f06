import FoundationExtras
import PurchaseModel

/// The contents of a ``Catalog``, which all copies of the catalog share.
final class CatalogContents: Sendable {
    /// The JSON of the `.storekit` file, including unknown keys.
    let file: JSONValue
    let style: StorekitStyle
    /// The lowest `.storekit` version that has all keys of the file.
    let requiredVersion: StorekitVersion
    let findings: [CatalogFinding]
    let laterVersionWarning: CatalogFinding?
    let storefronts: [Storefront]

    let settings: CatalogSettings
    let storefront: Storefront
    let items: [CatalogProduct]
    let groups: [CatalogGroup]
    let policies: CatalogPolicies
    let offerKey: CatalogOfferKey?

    /// The products with the texts and prices of the file's storefront.
    let products: [StoreProduct]
    let indices: [ProductID: Int]
    let groupsByID: [SubscriptionGroupID: CatalogGroup]

    /// Reads the contents of a `.storekit` file that is already parsed as JSON.
    ///
    /// - Throws: ``CatalogError`` for the first error in the file.
    static func read(_ file: JSONValue, style: StorekitStyle, storefronts: [Storefront]) throws(CatalogError) -> CatalogContents {
        let diagnostics = StorekitDiagnostics()
        var reader = StorekitReader(diagnostics: diagnostics, storefronts: storefronts)
        reader.read(file)
        if let error = diagnostics.firstError { throw error }
        return CatalogContents(reader, file: file, style: style)
    }

    /// The contents of a catalog without products, in the United States storefront.
    static let empty = CatalogContents(
        StorekitReader(diagnostics: StorekitDiagnostics(), storefronts: []), file: .object([]), style: StorekitStyle()
    )

    private init(_ reader: StorekitReader, file: JSONValue, style: StorekitStyle) {
        self.file = file
        self.style = style
        storefronts = reader.storefronts
        requiredVersion = reader.diagnostics.requiredVersion
        findings = reader.diagnostics.findings
        laterVersionWarning = reader.diagnostics.laterVersionWarning
        settings = reader.settings
        storefront = reader.storefront
        items = reader.items
        groups = reader.groups
        policies = reader.policies
        offerKey = reader.offerKey
        groupsByID = Dictionary(reader.groups.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        indices = Dictionary(reader.items.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
        let listing = StorefrontListing(storefront: reader.storefront, catalogStorefront: reader.storefront, groups: groupsByID)
        products = reader.items.map(listing.localized)
    }
}
