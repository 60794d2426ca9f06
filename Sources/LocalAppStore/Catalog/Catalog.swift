public import Foundation
public import PurchaseModel

/// The products, offers and prices that the store sells for an app, read from Xcode's `.storekit` file.
///
/// The file format has no type for the free subscriptions that the App Store once sold. A subscription whose `displayPrice` is written as
/// zero is read as a free subscription (`ProductType.freeSubscription`), which never expires.
///
/// `Catalog` is a value type: copies share their contents, and a change creates a new catalog.
public struct Catalog: Sendable {
    /// The maximum size of a file, in bytes.
    public static let sizeLimit = 4 << 20
    /// The maximum length of a product identifier, in characters.
    public static let identifierLimit = 255

    let contents: CatalogContents

    init(_ contents: CatalogContents) {
        self.contents = contents
    }

    /// Reads a `.storekit` file of versions 1 to 5; unknown keys are kept for rewriting, and missing keys have their default values.
    ///
    /// - Parameters:
    ///   - storekit: The file.
    ///   - storefronts: Additional storefronts that the file may name; these take precedence over `Storefront.all`.
    /// - Throws: ``CatalogError`` with the place of the first error in the file; ``findings(in:storefronts:)`` returns all errors.
    public init(storekit: Data, storefronts: [Storefront] = []) throws(CatalogError) {
        let text = try StorekitText(storekit)
        contents = try CatalogContents.read(text.file, style: text.style, storefronts: storefronts)
    }

    /// A catalog without products, in the United States storefront.
    public static let empty = Catalog(CatalogContents.empty)

    /// The products, in the file's order, with the texts and prices of the file's storefront.
    public var products: [StoreProduct] { contents.products }

    /// The default storefront of accounts.
    public var storefront: Storefront { contents.storefront }

    /// Whether subscriptions have a billing grace period; true if the file does not state a value.
    public var billingGracePeriodIsEnabled: Bool { settings.billingGracePeriodIsEnabled ?? true }

    /// The raw value of `SKTestSession.TimeRate`; 0 is real time.
    public var timeRate: Int { settings.timeRate }

    /// The settings of the store's test behavior.
    public var settings: CatalogSettings { contents.settings }

    /// The products in every language, in the file's order.
    public var items: [CatalogProduct] { contents.items }

    /// The subscription groups, in the file's order.
    public var groups: [CatalogGroup] { contents.groups }

    /// The texts for subscription views.
    public var policies: CatalogPolicies { contents.policies }

    /// The key that signs promotional offers in tests; nil if the file has none.
    public var offerKey: CatalogOfferKey? { contents.offerKey }

    /// The findings about the file; warnings only, because a file with an error has no catalog.
    public var findings: [CatalogFinding] { contents.findings }

    /// The product with that identifier, in every language.
    public func item(_ id: ProductID) -> CatalogProduct? {
        contents.indices[id].map { contents.items[$0] }
    }

    /// The group with that identifier.
    public func group(_ id: SubscriptionGroupID) -> CatalogGroup? {
        contents.groupsByID[id]
    }

    /// The product with that identifier, with the texts and price of the file's storefront.
    public func product(_ id: ProductID) -> StoreProduct? {
        contents.indices[id].map { contents.products[$0] }
    }
}
