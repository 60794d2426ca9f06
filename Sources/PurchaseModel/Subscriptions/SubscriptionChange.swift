/// What choosing another plan of the group means.
public enum SubscriptionChange: Codable, Hashable, Sendable {
    /// To a higher level, or to the same level and length: at once, and what was left is paid back.
    case upgrade
    /// To a lower level, or to the same level and another length: at the next renewal.
    case downgrade

    /// What going from one plan to another means; nil for the same product.
    public init?(from old: SubscriptionPlan, to new: SubscriptionPlan) {
        guard old.productID != new.productID else { return nil }
        // The highest level has the smallest number.
        let isAtOnce = new.level < old.level || (new.level == old.level && new.period == old.period)
        self = isAtOnce ? .upgrade : .downgrade
    }
}
