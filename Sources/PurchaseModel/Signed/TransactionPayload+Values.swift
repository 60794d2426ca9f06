extension TransactionPayload {
    /// Whether the purchase was refunded or otherwise taken back.
    public var isRevoked: Bool { revocationDate != nil }

    /// The kind of product, or nil for one this version does not know.
    public var productType: ProductType? { type.flatMap { ProductType(rawValue: $0) } }

    /// How the customer came by it, or nil for one this version does not know.
    public var ownership: Ownership? { inAppOwnershipType.flatMap { Ownership(rawValue: $0) } }

    /// What led to the transaction, or nil for one this version does not know.
    public var reason: TransactionReason? { transactionReason.flatMap { TransactionReason(rawValue: $0) } }

    /// Why the purchase was taken back, or nil for one this version does not know.
    public var reasonOfRevocation: PurchaseRevocationReason? { revocationReason.flatMap { PurchaseRevocationReason(rawValue: $0) } }

    /// How the purchase was taken back, or nil for one this version does not know.
    public var kindOfRevocation: RevocationType? { revocationType.flatMap { RevocationType(rawValue: $0) } }

    /// The kind of offer, or nil for one this version does not know.
    public var offer: OfferType? { offerType.flatMap { OfferType(rawValue: $0) } }

    /// How the offer is paid, or nil for one this version does not know.
    public var offerDiscount: OfferDiscountType? { offerDiscountType.flatMap { OfferDiscountType(rawValue: $0) } }

    /// How long the offer lasts, or nil for a duration of several units.
    public var offerDuration: BillingPeriod? { offerPeriod.flatMap { BillingPeriod(iso8601: $0) } }

    /// How the subscription is charged for, or nil for one this version does not know.
    public var billingPlan: BillingPlanType? { billingPlanType.flatMap { BillingPlanType(rawValue: $0) } }
}
