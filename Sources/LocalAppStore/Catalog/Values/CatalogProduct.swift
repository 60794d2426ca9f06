public import PurchaseModel

/// A product of a catalog, with all its localizations and with the price in the file's storefront.
///
/// ``Catalog/product(_:in:)`` converts a catalog product to the `StoreProduct` that devices receive.
public struct CatalogProduct: Codable, Hashable, Sendable {
    /// The product's identifier.
    public var id: ProductID
    /// The product's type.
    public var type: ProductType
    /// The reference name, which customers do not see; empty if the file has none.
    public var referenceName: String
    /// The App Store's internal ID of the product, decimal or hexadecimal; empty if the file has none.
    public var internalID: String
    /// The unit price in the currency of the file's storefront.
    public var price: Money
    /// The prices in other storefronts that are not converted from ``price``, by alpha-3 country code.
    ///
    /// A `.storekit` file contains these prices under the key `_tillrollPrices`, which Xcode ignores.
    public var prices: [String: Money]
    /// Whether the product supports Family Sharing.
    public var isFamilyShareable: Bool
    /// The localizations, in the file's order.
    public var localizations: [CatalogLocalization]
    /// The subscription group, period and offers of a subscription; nil for products that are not in a subscription group.
    ///
    /// A free subscription also has the value, because the file contains it in a group; devices do not receive the value.
    public var subscription: CatalogSubscription?

    /// Creates a product.
    public init(
        id: ProductID, type: ProductType, referenceName: String = "", internalID: String = "", price: Money, prices: [String: Money] = [:],
        isFamilyShareable: Bool = false, localizations: [CatalogLocalization] = [], subscription: CatalogSubscription? = nil
    ) {
        self.id = id
        self.type = type
        self.referenceName = referenceName
        self.internalID = internalID
        self.price = price
        self.prices = prices
        self.isFamilyShareable = isFamilyShareable
        self.localizations = localizations
        self.subscription = subscription
    }
}
