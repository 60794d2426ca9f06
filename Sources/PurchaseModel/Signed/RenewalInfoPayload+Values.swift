extension RenewalInfoPayload {
    /// Whether it will renew, or nil for one this version does not know.
    public var renewal: AutoRenewStatus? { autoRenewStatus.flatMap { AutoRenewStatus(rawValue: $0) } }

    /// Why it ended, or nil for one this version does not know.
    public var reasonOfExpiration: ExpirationIntent? { expirationIntent.flatMap { ExpirationIntent(rawValue: $0) } }

    /// Where the customer stands with a higher price, or nil for one this version does not know.
    public var priceIncrease: PriceIncreaseStatus? { priceIncreaseStatus.flatMap { PriceIncreaseStatus(rawValue: $0) } }

    /// The kind of offer of the next period, or nil for one this version does not know.
    public var offer: OfferType? { offerType.flatMap { OfferType(rawValue: $0) } }

    /// How the offer is paid, or nil for one this version does not know.
    public var offerDiscount: OfferDiscountType? { offerDiscountType.flatMap { OfferDiscountType(rawValue: $0) } }

    /// How long the offer lasts, or nil for a duration of several units.
    public var offerDuration: BillingPeriod? { offerPeriod.flatMap { BillingPeriod(iso8601: $0) } }

    /// How the next period is charged for, or nil for one this version does not know.
    public var renewalBillingPlan: BillingPlanType? { renewalBillingPlanType.flatMap { BillingPlanType(rawValue: $0) } }
}
