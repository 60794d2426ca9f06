public import Foundation
public import PurchaseModel

/// What the store sells, read from a `.storekit` file of Xcode.
///
/// Such a file has no type of its own for the free subscriptions that the App Store once sold: a subscription whose
/// `displayPrice` is written as zero is read as one (`ProductType.freeSubscription`), and never expires.
///
/// A value: copies share what they hold, and changing one makes another.
public struct Catalog: Sendable {
    /// The most bytes of a file that are read.
    public static let sizeLimit = 4 << 20
    /// The most characters of a product identifier.
    public static let identifierLimit = 255

    let contents: CatalogContents

    init(_ contents: CatalogContents) {
        self.contents = contents
    }

    /// Reads a `.storekit` file of versions 1 to 5; unknown keys are kept for rewriting, missing ones mean their defaults.
    ///
    /// - Parameters:
    ///   - storekit: The file.
    ///   - storefronts: Countries' stores that the file may name besides those of `Storefront.all`; they go before those.
    /// - Throws: ``CatalogError`` with the place in the file, the first one; ``findings(in:storefronts:)`` has all of them.
    public init(storekit: Data, storefronts: [Storefront] = []) throws(CatalogError) {
        let text = try StorekitText(storekit)
        contents = try CatalogContents.read(text.file, style: text.style, storefronts: storefronts)
    }

    /// A catalog that sells nothing, in the United States.
    public static let empty = Catalog(CatalogContents.empty)

    /// The products that are sold, in the file's order, as its own storefront shows them.
    public var products: [StoreProduct] { contents.products }

    /// The country's store that accounts buy in unless they say otherwise.
    public var storefront: Storefront { contents.storefront }

    /// Whether a subscription goes on for a while when its renewal cannot be charged; a file that says nothing means yes.
    public var grantsGrace: Bool { settings.grantsGrace ?? true }

    /// The raw value of `SKTestSession.TimeRate`; 0 is real time.
    public var timeRate: Int { settings.timeRate }

    /// How the store behaves in a test.
    public var settings: CatalogSettings { contents.settings }

    /// The products in every language, in the file's order.
    public var items: [CatalogProduct] { contents.items }

    /// The groups of subscriptions, in the file's order.
    public var groups: [CatalogGroup] { contents.groups }

    /// The texts that subscription views show.
    public var policies: CatalogPolicies { contents.policies }

    /// The key by which promotional offers are signed in tests; nil where the file has none.
    public var offerKey: CatalogOfferKey? { contents.offerKey }

    /// What its author should know about the file; warnings only, for with an error there is no catalog.
    public var findings: [CatalogFinding] { contents.findings }

    /// The product with that identifier, in every language.
    public func item(_ id: ProductID) -> CatalogProduct? {
        contents.indices[id].map { contents.items[$0] }
    }

    /// The group with that identifier.
    public func group(_ id: SubscriptionGroupID) -> CatalogGroup? {
        contents.groupsByID[id]
    }

    /// The product with that identifier, as the file's own storefront shows it.
    public func product(_ id: ProductID) -> StoreProduct? {
        contents.indices[id].map { contents.products[$0] }
    }
}
