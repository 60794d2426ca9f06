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

extension SubscriptionTerms {
    /// Reads terms; those written before offers were described have no name and no offers.
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
