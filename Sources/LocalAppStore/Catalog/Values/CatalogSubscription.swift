public import PurchaseModel

/// The properties that only a subscription in a group has.
public struct CatalogSubscription: Codable, Hashable, Sendable {
    /// The subscription group, of which an account has at most one subscription at a time.
    public var group: SubscriptionGroupID
    /// The level of service in the group; 1 is the highest.
    public var level: Int
    /// The length of one paid period.
    public var period: BillingPeriod
    /// The offers of every kind, in the file's order, at the prices of the file's storefront.
    public var offers: [SubscriptionOffer]
    /// The additional billing plans.
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
