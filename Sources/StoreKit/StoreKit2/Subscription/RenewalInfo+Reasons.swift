extension Product.SubscriptionInfo.RenewalInfo {
    /// The reason why a subscription expired.
    public struct ExpirationReason: RawRepresentable, Hashable, Sendable {
        /// The App Store's number for the reason, such as 1 for ``autoRenewDisabled``.
        public let rawValue: Int

        /// Creates a reason from the App Store's number, such as 1 for ``autoRenewDisabled``.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The customer disabled the automatic renewal of the subscription.
        public static let autoRenewDisabled = ExpirationReason(rawValue: 1)
        /// The customer's payment method declined the renewal.
        public static let billingError = ExpirationReason(rawValue: 2)
        /// The customer did not consent to a price increase.
        public static let didNotConsentToPriceIncrease = ExpirationReason(rawValue: 3)
        /// The product was no longer available at the time of the renewal.
        public static let productUnavailable = ExpirationReason(rawValue: 4)
        /// The subscription expired for another reason.
        public static let unknown = ExpirationReason(rawValue: 5)
        /// The subscription left its bundle, and did not renew alone.
        public static var unbundled: ExpirationReason { ExpirationReason(rawValue: 6) }

        /// A description of the reason, always in English.
        public var localizedDescription: String {
            switch self {
            case .autoRenewDisabled: "Auto-renew disabled"
            case .billingError: "Billing error"
            case .didNotConsentToPriceIncrease: "Did not consent to price increase"
            case .productUnavailable: "Product unavailable"
            case .unbundled: "Unbundled"
            default: "Unknown"
            }
        }
    }

    /// The state of a customer's consent to a price increase.
    @frozen
    public enum PriceIncreaseStatus: Hashable, Sendable {
        /// No price increase is pending.
        case noIncreasePending
        /// The price increase requires consent, and the customer has not yet answered.
        case pending
        /// The customer consented to the price increase, or the App Store notified the customer of an increase that requires no consent.
        case agreed

        /// A description of the status, always in English.
        public var localizedDescription: String {
            switch self {
            case .noIncreasePending: "No increase pending"
            case .pending: "Pending"
            case .agreed: "Agreed"
            }
        }
    }
}
