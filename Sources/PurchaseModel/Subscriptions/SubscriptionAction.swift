/// An action that the owner of a subscription carries out after an event, in the returned order.
///
/// `period` is the number of a period (``SubscriptionPeriod/number``), which identifies the transaction of that period.
public enum SubscriptionAction: Hashable, Sendable {
    /// Create a transaction for this period, and charge its price unless the price is 0.
    case charge(SubscriptionPeriod)
    /// Mark a transaction as upgraded, and refund its remaining time; a Family Sharing entitlement has no refund.
    case markUpgraded(period: Int, refund: SubscriptionRevocation?)
    /// Revoke a transaction, and refund the amount that the revocation specifies.
    case revoke(period: Int, SubscriptionRevocation)
    /// Reinstate a revoked transaction by removing its revocation fields.
    case reinstate(period: Int)
    /// Move the expiration date of a transaction.
    case setExpirationDate(period: Int, to: Timestamp)
    /// Notify the developer's server, with the transaction of this period.
    case notify(SubscriptionNotice, period: Int)
    /// No action was taken, because a scheduled change is overdue since this date.
    /// Send ``SubscriptionEvent/due(hasValidPaymentMethod:isProductAvailable:)`` first, then the event again.
    case overdue(since: Timestamp)
}
