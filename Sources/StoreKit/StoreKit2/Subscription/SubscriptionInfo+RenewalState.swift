extension Product.SubscriptionInfo {
    /// The renewal state of a subscription.
    public struct RenewalState: RawRepresentable, Hashable, Sendable {
        /// The App Store's number for the state, such as 1 for ``subscribed``.
        public let rawValue: Int

        /// Creates a state from the App Store's number, such as 1 for ``subscribed``.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Derives the state of a subscription from its signed transaction and its signed renewal information.
        ///
        /// The state is that at the signing date of the renewal information.
        ///
        /// The status number in the store's response is ignored, because it is not signed.
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
        /// A renewal failed, and the store retries the charge; the customer has no access to the subscription.
        public static let inBillingRetryPeriod = RenewalState(rawValue: 3)
        /// A renewal failed, and the store retries the charge; the customer keeps access to the subscription.
        public static let inGracePeriod = RenewalState(rawValue: 4)
        /// The store refunded the subscription, or revoked the access through Family Sharing.
        public static let revoked = RenewalState(rawValue: 5)

        /// A description of the state, always in English.
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
