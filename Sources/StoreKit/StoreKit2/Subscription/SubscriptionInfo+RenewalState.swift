extension Product.SubscriptionInfo {
    /// The state of a subscription.
    public struct RenewalState: RawRepresentable, Hashable, Sendable {
        /// The store's raw value.
        public let rawValue: Int

        /// Creates a state from the store's raw value.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Derives the state from the latest transaction and the renewal information, as of the time of signing.
        ///
        /// The status number in the store's response is not signed and is therefore ignored.
        init(_ transaction: Transaction, _ renewalInfo: RenewalInfo) {
            self =
                if transaction.revocationDate != nil {
                    .revoked
                } else if let grace = renewalInfo.gracePeriodExpirationDate, grace > renewalInfo.signedDate {
                    .inGracePeriod
                } else if renewalInfo.isInBillingRetry {
                    .inBillingRetryPeriod
                } else if let end = transaction.expirationDate, end > renewalInfo.signedDate {
                    .subscribed
                } else {
                    .expired
                }
        }

        /// The subscription is active.
        public static let subscribed = RenewalState(rawValue: 1)
        /// The subscription has expired.
        public static let expired = RenewalState(rawValue: 2)
        /// A renewal failed and the store retries it; the customer has no access.
        public static let inBillingRetryPeriod = RenewalState(rawValue: 3)
        /// A renewal failed and the store retries it; the customer keeps access.
        public static let inGracePeriod = RenewalState(rawValue: 4)
        /// The store refunded the subscription, or its Family Sharing access was revoked.
        public static let revoked = RenewalState(rawValue: 5)

        /// The state in English, for display.
        public var localizedDescription: String {
            switch self {
            case .subscribed: "Subscribed"
            case .expired: "Expired"
            case .inBillingRetryPeriod: "In billing retry period"
            case .inGracePeriod: "In grace period"
            case .revoked: "Revoked"
            default: "Unknown"
            }
        }
    }
}
