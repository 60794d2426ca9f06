/// The kind of a customer's change to another product of the subscription group.
public enum SubscriptionChange: Codable, Hashable, Sendable {
    /// A change to a higher level, or to the same level and duration; takes effect at once, and the remaining time is refunded.
    case upgrade
    /// A change to a lower level, to the same level and another duration, or to another billing plan of the same product; takes effect at
    /// the next renewal, and within a commitment at the renewal after its last charge.
    case downgrade

    /// Creates the kind of change from a plan to another plan; nil when both plans are the same billing plan of one product.
    ///
    /// Apple's documentation that this project has seen does not state when a change of the billing plan takes effect.
    public init?(from old: SubscriptionPlan, to new: SubscriptionPlan) {
        let hasSameCommitment = new.commitment?.charges == old.commitment?.charges
        guard old.productID != new.productID else {
            if hasSameCommitment { return nil }
            self = .downgrade
            return
        }
        // The highest level has the smallest number.
        let isAtOnce = new.level < old.level || (new.level == old.level && new.period == old.period && hasSameCommitment)
        self = isAtOnce ? .upgrade : .downgrade
    }
}

/// An action that the store carries out after a subscription processed an event.
///
/// The store carries out several actions in the order in which ``Subscription/handle(_:at:)`` returns them. `period` is the number of a
/// subscription period (``SubscriptionPeriod/number``), and identifies the transaction of the period.
public enum SubscriptionAction: Hashable, Sendable {
    /// Create a transaction for this period, and charge the price of the period unless the price is 0.
    case charge(SubscriptionPeriod)
    /// Create an additional transaction for seats of this period, and charge its price.
    case addSeats(period: Int, SeatAddition)
    /// Mark the transaction of a period as upgraded, and pay the refund; `refund` is nil for a Family Sharing entitlement.
    case markUpgraded(period: Int, refund: SubscriptionRevocation?)
    /// Revoke the transaction of a period that a bundle replaces, and pay the refund; `refund` is nil for a Family Sharing entitlement.
    case revokeForBundle(period: Int, refund: SubscriptionRevocation?)
    /// Revoke the transaction of a period, and refund the part of its price that the revocation specifies.
    case revoke(period: Int, SubscriptionRevocation)
    /// Reinstate the revoked transaction of a period by removing its revocation fields.
    case reinstate(period: Int)
    /// Change the expiration date of the transaction of a period.
    case setExpirationDate(period: Int, to: Timestamp)
    /// Send a notification with the transaction of a period to the developer's server.
    case notify(SubscriptionNotice, period: Int)
    /// Process the renewal or expiration that is overdue since this date; the event that returned this action had no effect.
    ///
    /// Send ``SubscriptionEvent/due(hasValidPaymentMethod:isProductAvailable:)`` to the subscription, and then the same event again.
    case overdue(since: Timestamp)
}
