/// What is known of a subscription that was bought and renewed elsewhere.
public struct SubscriptionHistory: Hashable, Sendable {
    /// The first transaction.
    public var originalTransactionID: TransactionID
    /// The plan of the newest period, at its ordinary price.
    public var plan: SubscriptionPlan
    /// The plan that takes its place at the next renewal.
    public var pendingPlan: SubscriptionPlan?
    /// The offer of the newest period.
    public var offer: SubscriptionOffer?
    /// Which of the offer's periods it is, from 1.
    public var offerPeriod = 1
    /// How many periods there were.
    public var periods: Int
    /// What the newest period cost.
    public var price: Money
    /// Whether the customer bought the newest period, or the store renewed.
    public var reason: TransactionReason
    /// When the newest period began.
    public var start: Timestamp
    /// When it ends.
    public var end: Timestamp
    /// Whether the newest period was taken back.
    public var isRevoked = false
    /// Whether the customer has used an introductory offer of the group.
    public var hasUsedIntroductoryOffer = false
    /// When the first period began.
    public var firstStart: Timestamp
    /// When the newest statement about it was made.
    public var statedAt: Timestamp
    /// What was intended with it, if that is known.
    public var renewalInfo: RenewalInfoPayload?

    /// Creates a past of the facts that are always known.
    public init(
        originalTransactionID: TransactionID, plan: SubscriptionPlan, periods: Int, price: Money, reason: TransactionReason,
        start: Timestamp, end: Timestamp, firstStart: Timestamp, statedAt: Timestamp
    ) {
        self.originalTransactionID = originalTransactionID
        self.plan = plan
        self.periods = periods
        self.price = price
        self.reason = reason
        self.start = start
        self.end = end
        self.firstStart = firstStart
        self.statedAt = statedAt
    }
}
