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
