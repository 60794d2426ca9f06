/// A price increase that takes effect at the subscription's next renewal.
public struct PriceIncrease: Hashable, Sendable {
    /// The customer's answer to a price increase.
    public enum Consent: Hashable, Sendable, CaseIterable {
        /// Consent is required and the customer has not answered; without consent the subscription expires.
        case pending
        /// The customer consented, or was notified where no consent is required.
        case accepted
        /// Consent is not requested while auto-renew is disabled; the store requests consent again when auto-renew is enabled.
        case notRequested
    }

    /// The price of one period after the increase.
    public let price: Money
    /// The customer's answer to the price increase.
    public internal(set) var consent: Consent

    package init(price: Money, consent: Consent) {
        self.price = price
        self.consent = consent
    }

    /// The price increase status in signed renewal info; nil while consent is not requested because auto-renew is disabled.
    public var status: PriceIncreaseStatus? {
        switch consent {
        case .pending: .notAnswered
        case .accepted: .consented
        case .notRequested: nil
        }
    }
}
