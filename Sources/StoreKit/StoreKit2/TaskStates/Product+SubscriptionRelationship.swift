extension Product {
    /// A set of relationships between the plans of a subscription group and the customer's current plan.
    public struct SubscriptionRelationship: OptionSet, Hashable, Sendable {
        /// The relationships in the set, as bits.
        public let rawValue: Int

        /// Creates a set of relationships from its bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The plan to which the customer's subscription renews.
        public static let current = SubscriptionRelationship(rawValue: 1 << 0)
        /// The plans with a higher level of service than the customer's plan.
        public static let upgrade = SubscriptionRelationship(rawValue: 1 << 1)
        /// The plans with a lower level of service than the customer's plan.
        public static let downgrade = SubscriptionRelationship(rawValue: 1 << 2)
        /// The other plans with the same level of service as the customer's plan.
        public static let crossgrade = SubscriptionRelationship(rawValue: 1 << 3)
        /// All plans of the subscription group.
        public static let all: SubscriptionRelationship = [.current, .upgrade, .downgrade, .crossgrade]
    }
}
