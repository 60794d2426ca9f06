/// A product as the store describes it to a device, in the storefront's language and currency.
public struct StoreProduct: Codable, Hashable, Sendable {
    /// The product's identifier.
    public var id: ProductID
    /// The product's kind.
    public var type: ProductType
    /// The name, in the storefront's language.
    public var title: String
    /// The description, in the storefront's language.
    public var summary: String
    /// The price of one.
    public var price: Money
    /// The locale in which to show the price, such as `en_US`.
    public var priceLocale: String
    /// What a subscription has besides; nil for everything else.
    public var subscription: SubscriptionTerms?
    /// Whether members of the customer's family may use it.
    public var isFamilyShareable: Bool
    /// What the store hosts for it; nil for nothing.
    public var content: HostedContent?

    /// Creates a description.
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
