/// What the owner of a subscription has to do after an event.
public enum SubscriptionAction: Hashable, Sendable {
    /// Charge the customer and make a transaction for this period.
    case charge(from: Timestamp, until: Timestamp)
    /// Tell the developer's server.
    case notify(SubscriptionNotice)
}
