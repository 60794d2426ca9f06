/// What happens to a subscription.
public enum SubscriptionEvent: Hashable, Sendable {
    /// The time of ``Subscription/nextDue`` has come; says whether the customer's card can be charged.
    case due(cardWorks: Bool)
    /// The customer's card works again.
    case cardMended
    /// The customer switched renewal on or off.
    case autoRenew(Bool)
    /// The money of the newest period was given back.
    case refunded
}
