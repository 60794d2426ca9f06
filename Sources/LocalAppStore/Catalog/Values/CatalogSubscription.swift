public import PurchaseModel

/// The properties of a catalog product that is a subscription in a subscription group.
public struct CatalogSubscription: Codable, Hashable, Sendable {
    /// The identifier of the subscription group.
    public var group: SubscriptionGroupID
    /// The level of service in the subscription group; 1 is the highest level.
    public var level: Int
    /// The duration of one subscription period.
    public var period: BillingPeriod
    /// The subscription's offers of every kind, in the file's order, with the prices of the file's storefront.
    public var offers: [SubscriptionOffer]
    /// The billing plans that the subscription has in addition to its price.
    public var billingPlans: [CatalogBillingPlan]

    /// Creates the properties of a subscription.
    public init(
        group: SubscriptionGroupID, level: Int = 1, period: BillingPeriod, offers: [SubscriptionOffer] = [],
        billingPlans: [CatalogBillingPlan] = []
    ) {
        self.group = group
        self.level = level
        self.period = period
        self.offers = offers
        self.billingPlans = billingPlans
    }
}
