extension Product {
    /// The relationships of the plans of a subscription group to the customer's plan.
    public struct SubscriptionRelationship: OptionSet, Hashable, Sendable {
        /// The relationships as bits.
        public let rawValue: Int

        /// Creates a set from its bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The plan to which the subscription renews.
        public static let current = SubscriptionRelationship(rawValue: 1 << 0)
        /// The plans with a higher level of service.
        public static let upgrade = SubscriptionRelationship(rawValue: 1 << 1)
        /// The plans with a lower level of service.
        public static let downgrade = SubscriptionRelationship(rawValue: 1 << 2)
        /// The other plans with the same level of service.
        public static let crossgrade = SubscriptionRelationship(rawValue: 1 << 3)
        /// Every plan of the group.
        public static let all: SubscriptionRelationship = [.current, .upgrade, .downgrade, .crossgrade]
    }
}
