/// What the owner of a subscription has to do after an event, in this order.
///
/// `period` is the number of a period, ``SubscriptionPeriod/number``: the transaction that was made for it.
public enum SubscriptionAction: Hashable, Sendable {
    /// Make a transaction for this period, and charge its price unless that is 0.
    case charge(SubscriptionPeriod)
    /// Mark a transaction as upgraded, and pay back what was left of it; a member's copy has nothing to pay back.
    case markUpgraded(period: Int, refund: SubscriptionRevocation?)
    /// Take a transaction back, and pay back what the revocation says.
    case revoke(period: Int, SubscriptionRevocation)
    /// Give a transaction back that was taken: its fields of revocation go.
    case reinstate(period: Int)
    /// Move the end that a transaction states.
    case moveEnd(period: Int, to: Timestamp)
    /// Tell the developer's server, with this period's transaction.
    case notify(SubscriptionNotice, period: Int)
    /// Nothing was done: something else has been due since then. Send ``SubscriptionEvent/due(cardWorks:forSale:)`` first, then this again.
    case overdue(since: Timestamp)
}
