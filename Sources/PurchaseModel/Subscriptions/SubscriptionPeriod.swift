/// A charged period of a subscription, with the values that the transaction of the period contains.
public struct SubscriptionPeriod: Hashable, Sendable {
    /// The number of the period within the subscription, from 1; each transaction of a subscription has its own number.
    public let number: Int
    /// The plan of the period, at its regular price.
    public let plan: SubscriptionPlan
    /// The offer that applies to the period; nil at the regular price.
    public let offer: AppliedOffer?
    /// The charged price: the price of the plan or of the offer, and 0 for a Family Sharing entitlement.
    public let price: Money
    /// The cause of the period: a purchase by the customer, or a renewal by the store.
    public let reason: TransactionReason
    /// The start of the period.
    public let start: Timestamp
    /// The original end of the period, without later changes such as an extension of the renewal date.
    public let end: Timestamp
    /// The position of the period in its commitment; nil for a plan without a commitment.
    public let commitment: CommitmentCharge?
    /// The seats of the period's first transaction by price; nil for a subscription without seats.
    public let seats: [MultiSeatPriceTier]?
    /// The bundle of the period; nil for a stand-alone subscription.
    public let bundle: SubscriptionBundle?

    package init(
        number: Int, plan: SubscriptionPlan, offer: AppliedOffer?, price: Money, reason: TransactionReason, start: Timestamp,
        end: Timestamp, commitment: CommitmentCharge? = nil, seats: [MultiSeatPriceTier]? = nil, bundle: SubscriptionBundle? = nil
    ) {
        self.number = number
        self.plan = plan
        self.offer = offer
        self.price = price
        self.reason = reason
        self.start = start
        self.end = end
        self.commitment = commitment
        self.seats = seats
        self.bundle = bundle
    }
}

/// The reason that a subscription expired, with the `expirationIntent` value of signed renewal info.
public enum ExpirationIntent: Int, Codable, Hashable, Sendable, CaseIterable {
    /// The customer disabled auto-renew.
    case customerCancelled = 1
    /// The payment method declined the renewal.
    case billingError = 2
    /// The customer did not consent to a price increase.
    case priceIncreaseNotConsented = 3
    /// The product was no longer available at the renewal.
    case productUnavailable = 4
    /// The subscription expired for another reason.
    case other = 5
    /// The subscription left its bundle.
    case unbundled = 6
}
