/// A price increase that takes effect at the subscription's next renewal.
public struct PriceIncrease: Hashable, Sendable {
    /// The customer's answer to a price increase.
    public enum Consent: Hashable, Sendable, CaseIterable {
        /// Consent is required and the customer has not answered; without consent the subscription expires.
        case pending
        /// The customer consented, or was notified where no consent is required.
        case accepted
        /// Auto-renew is disabled, so consent is not requested; enabling auto-renew requests it again.
        case notRequested
    }

    /// The price of one period after the increase.
    public let price: Money
    /// The customer's answer.
    public internal(set) var consent: Consent

    package init(price: Money, consent: Consent) {
        self.price = price
        self.consent = consent
    }

    /// The price increase status in signed renewal info; nil while no consent is requested.
    public var status: PriceIncreaseStatus? {
        switch consent {
        case .pending: .notAnswered
        case .accepted: .consented
        case .notRequested: nil
        }
    }
}
