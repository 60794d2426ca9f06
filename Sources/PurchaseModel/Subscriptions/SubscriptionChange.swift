/// The kind of a customer's change to another product of the subscription group.
public enum SubscriptionChange: Codable, Hashable, Sendable {
    /// A change to a higher level, or to the same level and duration; takes effect at once, and the remaining time is refunded.
    case upgrade
    /// A change to a lower level, or to the same level and another duration; takes effect at the next renewal.
    case downgrade

    /// Creates the kind of change from a plan to another plan; nil when both plans are for the same product.
    public init?(from old: SubscriptionPlan, to new: SubscriptionPlan) {
        guard old.productID != new.productID else { return nil }
        // The highest level has the smallest number.
        let isAtOnce = new.level < old.level || (new.level == old.level && new.period == old.period)
        self = isAtOnce ? .upgrade : .downgrade
    }
}
