/// A product as the store lists it on a device, in the storefront's language and currency.
public struct StoreProduct: Codable, Hashable, Sendable {
    /// The product's identifier.
    public var id: ProductID
    /// The product type.
    public var type: ProductType
    /// The product's name, in the storefront's language.
    public var title: String
    /// The product's description, in the storefront's language.
    public var summary: String
    /// The price of one unit.
    public var price: Money
    /// The locale for formatting the price, such as `en_US`.
    public var priceLocale: String
    /// The terms of an auto-renewable subscription; nil for other product types.
    public var subscription: SubscriptionTerms?
    /// Whether Family Sharing is enabled for the product.
    public var isFamilyShareable: Bool
    /// The content that the store hosts for the product; nil without content.
    public var content: HostedContent?

    /// Creates a product listing.
    public init(
        id: ProductID,
        type: ProductType,
        title: String,
        summary: String,
        price: Money,
        priceLocale: String,
        subscription: SubscriptionTerms? = nil,
        isFamilyShareable: Bool = false
    ) {
        self.id = id
        self.type = type
        self.title = title
        self.summary = summary
        self.price = price
        self.priceLocale = priceLocale
        self.subscription = subscription
        self.isFamilyShareable = isFamilyShareable
    }
}
