extension Product.SubscriptionInfo.RenewalInfo {
    /// The reason why a subscription expired.
    public struct ExpirationReason: RawRepresentable, Hashable, Sendable {
        /// The store's raw value.
        public let rawValue: Int

        /// Creates a reason from the store's raw value.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The customer disabled auto-renew.
        public static let autoRenewDisabled = ExpirationReason(rawValue: 1)
        /// The payment method declined the renewal.
        public static let billingError = ExpirationReason(rawValue: 2)
        /// The customer did not consent to a price increase.
        public static let didNotConsentToPriceIncrease = ExpirationReason(rawValue: 3)
        /// The product is no longer available.
        public static let productUnavailable = ExpirationReason(rawValue: 4)
        /// Another reason.
        public static let unknown = ExpirationReason(rawValue: 5)

        /// The reason in English, for display.
        public var localizedDescription: String {
            switch self {
            case .autoRenewDisabled: "Auto-renew disabled"
            case .billingError: "Billing error"
            case .didNotConsentToPriceIncrease: "Did not consent to price increase"
            case .productUnavailable: "Product unavailable"
            default: "Unknown"
            }
        }
    }

    /// The state of a customer's consent to a price increase.
    @frozen
    public enum PriceIncreaseStatus: Hashable, Sendable {
        /// No price increase is pending.
        case noIncreasePending
        /// The customer has not yet answered.
        case pending
        /// The customer consented, or was notified where no consent is required.
        case agreed

        /// The status in English, for display.
        public var localizedDescription: String {
            switch self {
            case .noIncreasePending: "No increase pending"
            case .pending: "Pending"
            case .agreed: "Agreed"
            }
        }
    }
}
