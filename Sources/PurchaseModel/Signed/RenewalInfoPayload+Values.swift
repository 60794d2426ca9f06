extension RenewalInfoPayload {
    /// The auto-renew status; nil when the field is absent or has an unknown value.
    public var autoRenew: AutoRenewStatus? { autoRenewStatus.flatMap { AutoRenewStatus(rawValue: $0) } }

    /// The reason for the expiration; nil when the field is absent or has an unknown value.
    public var expirationReason: ExpirationIntent? { expirationIntent.flatMap { ExpirationIntent(rawValue: $0) } }

    /// The status of a price increase; nil when the field is absent or has an unknown value.
    public var priceIncrease: PriceIncreaseStatus? { priceIncreaseStatus.flatMap { PriceIncreaseStatus(rawValue: $0) } }

    /// The kind of offer of the next period; nil when the field is absent or has an unknown value.
    public var offer: OfferType? { offerType.flatMap { OfferType(rawValue: $0) } }

    /// The payment mode of the offer; nil when the field is absent or has an unknown value.
    public var offerDiscount: OfferDiscountType? { offerDiscountType.flatMap { OfferDiscountType(rawValue: $0) } }

    /// The total duration of the offer; nil when the field is absent or is a duration in several units.
    public var offerDuration: BillingPeriod? { offerPeriod.flatMap { BillingPeriod(iso8601: $0) } }

    /// The billing plan of the next period; nil when the field is absent or has an unknown value.
    public var renewalBillingPlan: BillingPlanType? { renewalBillingPlanType.flatMap { BillingPlanType(rawValue: $0) } }
}

/// The status of a subscription in the store.
public enum SubscriptionStatus: Int, Codable, Hashable, Sendable, CaseIterable {
    /// The subscription is active and paid.
    case active = 1
    /// The subscription has expired.
    case expired = 2
    /// A renewal failed and access has ended; the subscription is in its billing retry period.
    case billingRetry = 3
    /// A renewal failed and access continues; the subscription is in its billing grace period.
    case gracePeriod = 4
    /// The subscription was refunded, or is no longer available through Family Sharing.
    case revoked = 5
}

/// Whether a subscription renews at the end of its period.
public enum AutoRenewStatus: Int, Codable, Hashable, Sendable, CaseIterable {
    /// Auto-renew is disabled: the subscription expires at the end of its period.
    case off = 0
    /// Auto-renew is enabled: the subscription renews at the end of its period.
    case on = 1
}

/// The status of a subscription's price increase.
public enum PriceIncreaseStatus: Int, Codable, Hashable, Sendable, CaseIterable {
    /// Consent is required, and the customer has not answered.
    case notAnswered = 0
    /// The customer consented, or was notified where no consent is required.
    case consented = 1
}
