extension Product.SubscriptionInfo {
    /// The state of a subscription.
    public struct RenewalState: RawRepresentable, Hashable, Sendable {
        /// The store's number for it.
        public let rawValue: Int

        /// Creates a state from the store's number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// What the newest period and the store's intentions say together, at the time at which they were signed.
        ///
        /// The number that stands beside them in the store's answer is not signed, so it is not believed.
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

        /// Paid; the customer may use it.
        public static let subscribed = RenewalState(rawValue: 1)
        /// Ended.
        public static let expired = RenewalState(rawValue: 2)
        /// A renewal failed, the store tries on, the customer may not use it.
        public static let inBillingRetryPeriod = RenewalState(rawValue: 3)
        /// A renewal failed, the store tries on, the customer may use it.
        public static let inGracePeriod = RenewalState(rawValue: 4)
        /// Refunded, or no longer shared by the family.
        public static let revoked = RenewalState(rawValue: 5)

        /// The state as a person reads it.
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
