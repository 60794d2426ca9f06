/// One period of a subscription as it was charged: all that a transaction says of it.
public struct SubscriptionPeriod: Hashable, Sendable {
    /// Counts the periods of a subscription, from 1; no two transactions have the same.
    public let number: Int
    /// The plan, at its ordinary price.
    public let plan: SubscriptionPlan
    /// The offer in force; nil at the ordinary price.
    public let offer: OfferUse?
    /// What is charged: the plan's price or the offer's, and 0 for a family member's copy.
    public let price: Money
    /// Whether the customer bought, or the store renewed.
    public let reason: TransactionReason
    /// When it starts.
    public let start: Timestamp
    /// When it ends, unless that is moved later.
    public let end: Timestamp

    package init(
        number: Int, plan: SubscriptionPlan, offer: OfferUse?, price: Money, reason: TransactionReason, start: Timestamp, end: Timestamp
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
