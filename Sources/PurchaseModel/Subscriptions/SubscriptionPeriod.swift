/// One charged period of a subscription, with every value that its transaction contains.
public struct SubscriptionPeriod: Hashable, Sendable {
    /// The number of the period within the subscription, from 1; no two transactions have the same number.
    public let number: Int
    /// The plan, at its regular price.
    public let plan: SubscriptionPlan
    /// The offer in force; nil at the regular price.
    public let offer: AppliedOffer?
    /// The charged price: the price of the plan or of the offer, and 0 for a Family Sharing entitlement.
    public let price: Money
    /// Whether the customer purchased the period, or the store renewed the subscription.
    public let reason: TransactionReason
    /// The start of the period.
    public let start: Timestamp
    /// The end of the period, before any later change.
    public let end: Timestamp

    package init(
        number: Int, plan: SubscriptionPlan, offer: AppliedOffer?, price: Money, reason: TransactionReason, start: Timestamp, end: Timestamp
    ) {
        self.number = number
        self.plan = plan
        self.offer = offer
        self.price = price
        self.reason = reason
        self.start = start
        self.end = end
    }
}
