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
    /// The billing plan with monthly charges and a commitment; nil for a subscription that is billed upfront only.
    public var monthlyPlan: MonthlyBillingPlan?
    /// The prices of seats, and who invites the members; nil for a subscription that is sold for one customer only.
    public var seats: SeatTerms?

    /// Creates the terms of a subscription.
    public init(
        group: SubscriptionGroupID, level: Int, period: BillingPeriod, groupName: String = "", offers: [SubscriptionOffer] = [],
        monthlyPlan: MonthlyBillingPlan? = nil, seats: SeatTerms? = nil
    ) {
        self.group = group
        self.level = level
        self.period = period
        self.groupName = groupName
        self.offers = offers
        self.monthlyPlan = monthlyPlan
        self.seats = seats
    }

    /// Returns the offers of a billing plan; an offer without a billing plan belongs to the upfront plan.
    public func offers(of plan: BillingPlanType) -> [SubscriptionOffer] {
        offers.filter { ($0.billingPlan ?? .billedUpfront) == plan }
    }
}

/// The terms of a subscription that is sold in seats.
public struct SeatTerms: Codable, Hashable, Sendable {
    /// The prices of the seats by their number.
    public var pricing: SeatPricing
    /// Who invites the members of a group.
    public var invitationManagement: InvitationManagement

    /// Creates the terms of seats.
    public init(pricing: SeatPricing, invitationManagement: InvitationManagement = .apple) {
        self.pricing = pricing
        self.invitationManagement = invitationManagement
    }
}

/// A billing plan with monthly charges and a commitment to the subscription's whole period.
public struct MonthlyBillingPlan: Codable, Hashable, Sendable {
    /// The price of one monthly charge.
    public var price: Money
    /// The number of charges of the commitment.
    public var charges: Int
    /// The price of all charges of the commitment.
    public var commitmentPrice: Money

    /// Creates a billing plan.
    public init(price: Money, charges: Int, commitmentPrice: Money) {
        self.price = price
        self.charges = charges
        self.commitmentPrice = commitmentPrice
    }
}

extension StoreProduct {
    /// Returns a plan with which the store sells the product; nil for a product without subscription terms or without the billing plan.
    ///
    /// - Parameter billingPlan: The billing plan; nil for the upfront plan.
    public func plan(_ billingPlan: BillingPlanType? = nil) -> SubscriptionPlan? {
        guard let terms = subscription else { return nil }
        guard billingPlan == .monthly else {
            return SubscriptionPlan(
                productID: id, level: terms.level, period: terms.period, price: price,
                billingPlan: terms.monthlyPlan == nil ? nil : .billedUpfront, seatPricing: terms.seats?.pricing)
        }
        return terms.monthlyPlan.flatMap { monthly in
            BillingPeriod(1, .month).map { month in
                SubscriptionPlan(
                    productID: id, level: terms.level, period: month, price: monthly.price, billingPlan: .monthly,
                    commitment: SubscriptionCommitment(charges: monthly.charges, price: monthly.commitmentPrice))
            }
        }
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
            offers: try container.decodeIfPresent([SubscriptionOffer].self, forKey: .offers) ?? [],
            monthlyPlan: try container.decodeIfPresent(MonthlyBillingPlan.self, forKey: .monthlyPlan),
            seats: try container.decodeIfPresent(SeatTerms.self, forKey: .seats)
        )
    }
}
