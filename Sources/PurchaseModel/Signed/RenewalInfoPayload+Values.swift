extension RenewalInfoPayload {
    /// The renewal status, or nil for a value unknown to this version.
    public var autoRenew: AutoRenewStatus? { autoRenewStatus.flatMap { AutoRenewStatus(rawValue: $0) } }

    /// The reason for the expiration, or nil for a value unknown to this version.
    public var expirationReason: ExpirationIntent? { expirationIntent.flatMap { ExpirationIntent(rawValue: $0) } }

    /// The status of a price increase, or nil for a value unknown to this version.
    public var priceIncrease: PriceIncreaseStatus? { priceIncreaseStatus.flatMap { PriceIncreaseStatus(rawValue: $0) } }

    /// The kind of offer of the next period, or nil for a value unknown to this version.
    public var offer: OfferType? { offerType.flatMap { OfferType(rawValue: $0) } }

    /// The payment mode of the offer, or nil for a value unknown to this version.
    public var offerDiscount: OfferDiscountType? { offerDiscountType.flatMap { OfferDiscountType(rawValue: $0) } }

    /// The total duration of the offer, or nil for a duration in several units.
    public var offerDuration: BillingPeriod? { offerPeriod.flatMap { BillingPeriod(iso8601: $0) } }

    /// The billing plan of the next period, or nil for a value unknown to this version.
    public var renewalBillingPlan: BillingPlanType? { renewalBillingPlanType.flatMap { BillingPlanType(rawValue: $0) } }
}
