public import PurchaseModel

/// A product as the catalog keeps it: in every language, at the price of the file's storefront.
///
/// What a device is shown is a `StoreProduct`, made by ``Catalog/product(_:in:)``.
public struct CatalogProduct: Codable, Hashable, Sendable {
    /// The product's identifier.
    public var id: ProductID
    /// The product's kind.
    public var type: ProductType
    /// What its makers call it among themselves; empty where the file says nothing.
    public var referenceName: String
    /// The App Store's own number of the product, decimal or hexadecimal; empty where the file says nothing.
    public var internalID: String
    /// The price of one in the currency of the file's storefront.
    public var price: Money
    /// Prices that are set instead of converted, by the storefront's country code.
    ///
    /// Files carry them under the key `_tillrollPrices`, which Xcode does not know and ignores.
    public var prices: [String: Money]
    /// Whether members of the customer's family may use it.
    public var isFamilyShareable: Bool
    /// Its texts, in the file's order.
    public var localizations: [CatalogLocalization]
    /// What a subscription of a group has besides; nil for everything else.
    ///
    /// A free one has it, too, for its group; devices are not told about it.
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
