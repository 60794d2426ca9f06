/// A product in the catalog of the developer's server.
public struct ServerProduct: Codable, Hashable, Sendable {
    /// The product's name and description in one language.
    public struct Localization: Codable, Hashable, Sendable {
        /// The name that the app displays.
        public var displayName: String
        /// The description that the app displays; nil for none.
        public var description: String?

        /// Creates a localization.
        public init(displayName: String, description: String? = nil) {
            self.displayName = displayName
            self.description = description
        }
    }

    /// The product's identifier.
    public var id: ProductID
    /// The product's type; nil if the server's configuration does not state it.
    ///
    /// A receipt does not state the types of its products, so the server needs them to add credits for a receipt.
    public var type: ProductType?
    /// The subscription group of an auto-renewable subscription, in which a customer can use one introductory offer; nil if it is unknown.
    public var subscriptionGroupID: SubscriptionGroupID?
    /// The credits that one unit of the product adds to the customer's balance; nil for a product without credits.
    public var credits: Int?
    /// The currency of ``credits``, such as `coins`; nil for `credits`.
    public var currency: CurrencyID?
    /// The entitlements that a purchase of the product gives; nil for one entitlement with the product's identifier as its name, or for none if
    /// the product is a consumable.
    public var entitlements: [EntitlementName]?
    /// The duration of a non-renewing subscription as an ISO 8601 duration with one unit, such as `P30D`; nil for access without an end.
    public var duration: BillingPeriod?
    /// The name of the product's file in the server's content folder; nil for a product without content.
    public var file: String?
    /// The names and descriptions by language tag (BCP 47), such as `en` or `pt-BR`; nil for none.
    public var localizations: [String: Localization]?  // reason: the keys are language tags.
    /// Whether apps list the product; nil for true.
    ///
    /// A product that is no longer available still gives the credits and entitlements of its purchases.
    public var isAvailable: Bool?

    /// Creates a product.
    public init(
        id: ProductID, type: ProductType? = nil, subscriptionGroupID: SubscriptionGroupID? = nil, credits: Int? = nil,
        currency: CurrencyID? = nil, entitlements: [EntitlementName]? = nil, duration: BillingPeriod? = nil, file: String? = nil,
        localizations: [String: Localization]? = nil, isAvailable: Bool? = nil
    ) {
        self.id = id
        self.type = type
        self.subscriptionGroupID = subscriptionGroupID
        self.credits = credits
        self.currency = currency
        self.entitlements = entitlements
        self.duration = duration
        self.file = file
        self.localizations = localizations
        self.isAvailable = isAvailable
    }
}
