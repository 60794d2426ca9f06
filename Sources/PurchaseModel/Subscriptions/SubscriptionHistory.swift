/// The imported history of a subscription that was purchased and renewed in another store.
public struct SubscriptionHistory: Hashable, Sendable {
    /// The identifier of the first transaction.
    public var originalTransactionID: TransactionID
    /// The plan of the newest period, at its regular price.
    public var plan: SubscriptionPlan
    /// The plan that replaces ``plan`` at the next renewal.
    public var pendingPlan: SubscriptionPlan?
    /// The offer of the newest period.
    public var offer: SubscriptionOffer?
    /// The number of the newest period within the offer, from 1.
    public var offerPeriod = 1
    /// The number of periods.
    public var periods: Int
    /// The charged price of the newest period.
    public var price: Money
    /// Whether the customer purchased the newest period, or the store renewed it.
    public var reason: TransactionReason
    /// The start of the newest period.
    public var start: Timestamp
    /// The end of the newest period.
    public var end: Timestamp
    /// Whether the newest period was revoked.
    public var isRevoked = false
    /// Whether the customer has used an introductory offer of the subscription group.
    public var hasUsedIntroductoryOffer = false
    /// The start of the first period.
    public var firstStart: Timestamp
    /// The signature date of the newest signed data about the subscription.
    public var signedDate: Timestamp
    /// The newest signed renewal info, if available.
    public var renewalInfo: RenewalInfoPayload?

    /// Creates a history from the values that are always available.
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
