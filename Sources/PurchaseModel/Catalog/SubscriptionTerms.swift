/// The properties of a product that only auto-renewable subscriptions have.
public struct SubscriptionTerms: Codable, Hashable, Sendable {
    /// The subscription group, in which a customer has at most one active subscription.
    public var group: SubscriptionGroupID
    /// The level of service in the subscription group; 1 is the highest.
    public var level: Int
    /// The duration of one paid period.
    public var period: BillingPeriod
    /// The group's name in the storefront's language; empty when the group has no name.
    public var groupName: String
    /// The offers of the product, regardless of the customer's eligibility.
    public var offers: [SubscriptionOffer]

    /// Creates the terms of a subscription.
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

extension SubscriptionTerms {
    /// Decodes the terms of a subscription; an absent group name becomes empty, and absent offers become an empty array.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            group: try container.decode(SubscriptionGroupID.self, forKey: .group),
            level: try container.decode(Int.self, forKey: .level),
            period: try container.decode(BillingPeriod.self, forKey: .period),
            groupName: try container.decodeIfPresent(String.self, forKey: .groupName) ?? "",
            offers: try container.decodeIfPresent([SubscriptionOffer].self, forKey: .offers) ?? []
        )
    }
}
