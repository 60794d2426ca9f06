public import Foundation
public import PurchaseModel

/// The products, offers and prices that the store sells for an app, read from Xcode's `.storekit` file.
///
/// The `.storekit` format has no type for the free subscriptions that the App Store once sold. A subscription with a `displayPrice` of 0 is
/// read as a free subscription (`ProductType.freeSubscription`), which never expires.
///
/// `Catalog` is a value type: copies share their contents, and each change returns a new catalog.
public struct Catalog: Sendable {
    /// The maximum size of a `.storekit` file, in bytes.
    public static let sizeLimit = 4 << 20
    /// The maximum length of a product identifier, in characters.
    public static let identifierLimit = 255

    let contents: CatalogContents

    init(_ contents: CatalogContents) {
        self.contents = contents
    }

    /// Reads a `.storekit` file.
    ///
    /// Versions 1 to 5 are known. A file of a later version is read as far as it has known keys and values, and
    /// ``laterVersionWarning`` names the others. Missing keys have their default values. Unknown keys have no effect and are kept in ``storekit``.
    ///
    /// - Parameters:
    ///   - storekit: The contents of the file.
    ///   - storefronts: Additional storefronts that the file may name; they take precedence over `Storefront.all`.
    /// - Throws: ``CatalogError`` for the first error in the file; ``findings(in:storefronts:)`` returns all errors.
    public init(storekit: Data, storefronts: [Storefront] = []) throws(CatalogError) {
        let text = try StorekitText(storekit)
        contents = try CatalogContents.read(text.file, style: text.style, storefronts: storefronts)
    }

    /// A catalog without products, in the United States storefront.
    public static let empty = Catalog(CatalogContents.empty)

    /// The products with the texts and prices of the file's storefront, in the file's order.
    public var products: [StoreProduct] { contents.products }

    /// The file's storefront, in which accounts without a storefront setting buy.
    public var storefront: Storefront { contents.storefront }

    /// Whether subscriptions have a billing grace period; true if the file has no setting for it.
    public var billingGracePeriodIsEnabled: Bool { settings.billingGracePeriodIsEnabled ?? true }

    /// The time rate of subscriptions, as a raw value of `SKTestSession.TimeRate`; 0 is real time.
    public var timeRate: Int { settings.timeRate }

    /// The test settings of the file, such as Ask to Buy and simulated errors.
    public var settings: CatalogSettings { contents.settings }

    /// The products with all their localizations, in the file's order.
    public var items: [CatalogProduct] { contents.items }

    /// The subscription groups, in the file's order.
    public var groups: [CatalogGroup] { contents.groups }

    /// The license agreement and the privacy policies that subscription views show.
    public var policies: CatalogPolicies { contents.policies }

    /// The key that signs promotional offers in tests; nil if the file has no key.
    public var offerKey: CatalogOfferKey? { contents.offerKey }

    /// The warnings about the file; a file with errors has no catalog.
    public var findings: [CatalogFinding] { contents.findings }

    /// The warning that the file's version is later than the latest known version, with the places of what is ignored; nil for a known
    /// version.
    public var laterVersionWarning: CatalogFinding? { contents.laterVersionWarning }

    /// Returns the product with an identifier, with all its localizations; nil if the catalog has no such product.
    public func item(_ id: ProductID) -> CatalogProduct? {
        contents.indices[id].map { contents.items[$0] }
    }

    /// Returns the subscription group with an identifier; nil if the catalog has no such group.
    public func group(_ id: SubscriptionGroupID) -> CatalogGroup? {
        contents.groupsByID[id]
    }

    /// Returns the product with an identifier, with the text and price of the file's storefront; nil if the catalog has no such product.
    public func product(_ id: ProductID) -> StoreProduct? {
        contents.indices[id].map { contents.products[$0] }
    }
}

extension Catalog {
    /// Reads a `.storekit` file that a client sent in a request.
    ///
    /// - Throws: ``AppError/invalidCatalog(_:)`` if the file is invalid.
    init(reading storekit: Data) throws(AppError) {
        do {
            self = try Catalog(storekit: storekit)
        } catch {
            throw .invalidCatalog(error)
        }
    }
}
