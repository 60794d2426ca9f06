extension Product {
    /// How the plans of a subscription group stand to the one that the customer has.
    public struct SubscriptionRelationship: OptionSet, Hashable, Sendable {
        /// The relationships as bits.
        public let rawValue: Int

        /// Takes the bits as they are.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The plan that the subscription renews to.
        public static let current = SubscriptionRelationship(rawValue: 1 << 0)
        /// The plans of a higher level.
        public static let upgrade = SubscriptionRelationship(rawValue: 1 << 1)
        /// The plans of a lower level.
        public static let downgrade = SubscriptionRelationship(rawValue: 1 << 2)
        /// The other plans of the same level.
        public static let crossgrade = SubscriptionRelationship(rawValue: 1 << 3)
        /// Every plan of the group.
        public static let all: SubscriptionRelationship = [.current, .upgrade, .downgrade, .crossgrade]
    }
}
