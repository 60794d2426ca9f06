/// What an auto-renewable subscription has that other products do not.
public struct SubscriptionTerms: Codable, Hashable, Sendable {
    /// The group of which a customer holds one subscription at a time.
    public var group: SubscriptionGroupID
    /// The level of service in the group; 1 is the highest.
    public var level: Int
    /// How long one paid period lasts.
    public var period: BillingPeriod
    /// The group's name in the storefront's language; empty where there is none.
    public var groupName: String
    /// Every offer of the product, of each kind, whether this customer may have it or not.
    public var offers: [SubscriptionOffer]

    /// Creates terms.
    public init(
        group: SubscriptionGroupID, level: Int, period: BillingPeriod, groupName: String = "", offers: [SubscriptionOffer] = []
    ) {
        self.group = group
        self.level = level
        self.period = period
        self.groupName = groupName
        self.offers = offers
    }
}
