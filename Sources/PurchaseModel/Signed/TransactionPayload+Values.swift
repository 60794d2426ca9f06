extension TransactionPayload {
    /// Whether the purchase was refunded or otherwise revoked.
    public var isRevoked: Bool { revocationDate != nil }

    /// The product type, or nil for a value unknown to this version.
    public var productType: ProductType? { type.flatMap { ProductType(rawValue: $0) } }

    /// The customer's relation to the purchase, or nil for a value unknown to this version.
    public var ownership: Ownership? { inAppOwnershipType.flatMap { Ownership(rawValue: $0) } }

    /// The cause of the transaction, or nil for a value unknown to this version.
    public var reason: TransactionReason? { transactionReason.flatMap { TransactionReason(rawValue: $0) } }

    /// The reason for the revocation, or nil for a value unknown to this version.
    public var reasonOfRevocation: PurchaseRevocationReason? { revocationReason.flatMap { PurchaseRevocationReason(rawValue: $0) } }

    /// The kind of revocation, or nil for a value unknown to this version.
    public var kindOfRevocation: RevocationType? { revocationType.flatMap { RevocationType(rawValue: $0) } }

    /// The kind of offer, or nil for a value unknown to this version.
    public var offer: OfferType? { offerType.flatMap { OfferType(rawValue: $0) } }

    /// The payment mode of the offer, or nil for a value unknown to this version.
    public var offerDiscount: OfferDiscountType? { offerDiscountType.flatMap { OfferDiscountType(rawValue: $0) } }

    /// The total duration of the offer, or nil for a duration in several units.
    public var offerDuration: BillingPeriod? { offerPeriod.flatMap { BillingPeriod(iso8601: $0) } }

    /// The billing plan of the subscription, or nil for a value unknown to this version.
    public var billingPlan: BillingPlanType? { billingPlanType.flatMap { BillingPlanType(rawValue: $0) } }
}
