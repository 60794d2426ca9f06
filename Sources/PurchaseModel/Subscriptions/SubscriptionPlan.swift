/// A subscription product in one customer's storefront, with its price and its duration.
public struct SubscriptionPlan: Hashable, Sendable {
    /// The product identifier.
    public var productID: ProductID
    /// The level of service in the subscription group; 1 is the highest.
    public var level: Int
    /// The duration of one paid period.
    public var period: BillingPeriod
    /// The price of one period without an offer.
    public var price: Money
    /// The billing plan; nil for a product that has one billing plan only.
    public var billingPlan: BillingPlanType?
    /// The commitment of the plan; nil for a plan whose customer can cancel each renewal.
    public var commitment: SubscriptionCommitment?
    /// The prices of seats; nil for a plan that is sold without seats.
    public var seatPricing: SeatPricing?

    /// Creates a plan.
    public init(
        productID: ProductID, level: Int, period: BillingPeriod, price: Money, billingPlan: BillingPlanType? = nil,
        commitment: SubscriptionCommitment? = nil, seatPricing: SeatPricing? = nil
    ) {
        self.productID = productID
        self.level = level
        self.period = period
        self.price = price
        self.billingPlan = billingPlan
        self.commitment = commitment
        self.seatPricing = seatPricing
    }

    /// Changes the price of one period, and with it the price of the commitment and of the seats in the first tier.
    mutating func setPrice(_ price: Money) {
        self.price = price
        seatPricing = seatPricing?.withFirstPrice(price)
        commitment = commitment.map { SubscriptionCommitment(charges: $0.charges, price: price.times($0.charges) ?? $0.price) }
    }
}

/// A commitment to several charges, such as a year that the customer pays monthly.
public struct SubscriptionCommitment: Hashable, Sendable {
    /// The number of charges, from 1.
    public var charges: Int
    /// The price of all charges.
    public var price: Money

    /// Creates a commitment.
    public init(charges: Int, price: Money) {
        self.charges = charges
        self.price = price
    }
}

/// The position of a subscription period in its commitment.
public struct CommitmentCharge: Hashable, Sendable {
    /// The number of the charge within the commitment, from 1.
    public var number: Int
    /// The number of charges in the commitment.
    public var count: Int
    /// The end of the commitment; a failed and recovered charge delays the end.
    public var expires: Timestamp
    /// The price of all charges.
    public var price: Money

    /// Creates a position.
    public init(number: Int, count: Int, expires: Timestamp, price: Money) {
        self.number = number
        self.count = count
        self.expires = expires
        self.price = price
    }

    /// Whether further charges of the commitment follow, even if the customer cancels.
    public var isFollowed: Bool { number < count }
}

/// A customer's purchase of a subscription product, with an optional offer.
public struct SubscriptionPurchase: Hashable, Sendable {
    /// The purchased plan, at its regular price in the customer's storefront.
    public var plan: SubscriptionPlan
    /// The offer that begins with the purchase; nil at the regular price.
    ///
    /// The caller checks the customer's eligibility with ``SubscriptionOffer/refusal(for:)``.
    public var offer: SubscriptionOffer?
    /// The offer that begins after ``offer`` ends: an offer code that can be combined with the introductory offer; nil for none.
    public var followingOffer: SubscriptionOffer?
    /// The number of seats that the customer has after the purchase; nil for a purchase without seats.
    public var seats: Int?

    /// Creates a purchase.
    public init(
        _ plan: SubscriptionPlan, offer: SubscriptionOffer? = nil, followedBy followingOffer: SubscriptionOffer? = nil, seats: Int? = nil
    ) {
        self.plan = plan
        self.offer = offer
        self.followingOffer = followingOffer
        self.seats = seats
    }
}
