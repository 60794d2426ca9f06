/// What an auto-renewable subscription has that other products do not.
public struct SubscriptionTerms: Codable, Hashable, Sendable {
    /// The group of which a customer holds one subscription at a time.
    public var group: SubscriptionGroupID
    /// The level of service in the group; 1 is the highest.
    public var level: Int
    /// How long one paid period lasts.
    public var period: BillingPeriod

    /// Creates terms.
    public init(group: SubscriptionGroupID, level: Int, period: BillingPeriod) {
        self.group = group
        self.level = level
        self.period = period
    }
}
