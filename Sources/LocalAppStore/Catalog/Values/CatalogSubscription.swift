public import PurchaseModel

/// What a subscription of a group has that other products of the catalog do not.
public struct CatalogSubscription: Codable, Hashable, Sendable {
    /// The group of which a customer holds one subscription at a time.
    public var group: SubscriptionGroupID
    /// The level of service in the group; 1 is the highest.
    public var level: Int
    /// How long one paid period lasts.
    public var period: BillingPeriod
    /// The offers of every kind, in the file's order, at prices of the file's storefront.
    public var offers: [SubscriptionOffer]
    /// Other ways of paying.
    public var billingPlans: [CatalogBillingPlan]

    /// Creates terms.
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
