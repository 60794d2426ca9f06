/// The imported transaction history of a subscription that was purchased and renewed in another store.
public struct SubscriptionHistory: Hashable, Sendable {
    /// The identifier of the subscription's first transaction.
    public var originalTransactionID: TransactionID
    /// The plan of the newest subscription period, at its regular price.
    public var plan: SubscriptionPlan
    /// The plan that replaces ``plan`` at the next renewal; nil when the plan does not change.
    public var pendingPlan: SubscriptionPlan?
    /// The offer that applied to the newest subscription period; nil at the regular price.
    public var offer: SubscriptionOffer?
    /// The number of the newest subscription period within ``offer``, counted from 1.
    public var offerPeriod = 1
    /// The number of the subscription's periods up to the newest period.
    public var periods: Int
    /// The charged price of the newest subscription period.
    public var price: Money
    /// The cause of the newest subscription period: a purchase by the customer, or a renewal by the store.
    public var reason: TransactionReason
    /// The start of the newest subscription period.
    public var start: Timestamp
    /// The end of the newest subscription period.
    public var end: Timestamp
    /// The position of the newest subscription period in its commitment; nil without a commitment.
    public var commitment: CommitmentCharge?
    /// The seats of the newest subscription period; nil for a subscription without seats.
    public var seats: SubscriptionSeats?
    /// The bundle of the newest subscription period; nil for a stand-alone subscription.
    public var bundle: SubscriptionBundle?
    /// Whether the newest subscription period was revoked.
    public var isRevoked = false
    /// Whether the customer has used an introductory offer of the subscription group.
    public var hasUsedIntroductoryOffer = false
    /// The start of the first subscription period.
    public var firstStart: Timestamp
    /// The signature date of the newest signed data about the subscription.
    public var signedDate: Timestamp
    /// The newest signed renewal info, if available.
    public var renewalInfo: RenewalInfoPayload?

    /// Creates a history from the values that every imported subscription has.
    public init(
        originalTransactionID: TransactionID, plan: SubscriptionPlan, periods: Int, price: Money, reason: TransactionReason,
        start: Timestamp, end: Timestamp, firstStart: Timestamp, signedDate: Timestamp
    ) {
        self.originalTransactionID = originalTransactionID
        self.plan = plan
        self.periods = periods
        self.price = price
        self.reason = reason
        self.start = start
        self.end = end
        self.firstStart = firstStart
        self.signedDate = signedDate
    }
}
