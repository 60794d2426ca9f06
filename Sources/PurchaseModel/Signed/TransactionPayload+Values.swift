extension TransactionPayload {
    /// Whether the purchase was refunded or otherwise revoked.
    public var isRevoked: Bool { revocationDate != nil }

    /// The product type; nil when the field is absent or has an unknown value.
    public var productType: ProductType? { type.flatMap { ProductType(rawValue: $0) } }

    /// The customer's relation to the purchase; nil when the field is absent or has an unknown value.
    public var ownership: Ownership? { inAppOwnershipType.flatMap { Ownership(rawValue: $0) } }

    /// The cause of the transaction; nil when the field is absent or has an unknown value.
    public var reason: TransactionReason? { transactionReason.flatMap { TransactionReason(rawValue: $0) } }

    /// The reason for the revocation; nil when the field is absent or has an unknown value.
    public var reasonOfRevocation: PurchaseRevocationReason? { revocationReason.flatMap { PurchaseRevocationReason(rawValue: $0) } }

    /// The kind of revocation; nil when the field is absent or has an unknown value.
    public var kindOfRevocation: RevocationType? { revocationType.flatMap { RevocationType(rawValue: $0) } }

    /// The kind of offer; nil when the field is absent or has an unknown value.
    public var offer: OfferType? { offerType.flatMap { OfferType(rawValue: $0) } }

    /// The payment mode of the offer; nil when the field is absent or has an unknown value.
    public var offerDiscount: OfferDiscountType? { offerDiscountType.flatMap { OfferDiscountType(rawValue: $0) } }

    /// The total duration of the offer; nil when the field is absent or is a duration in several units.
    public var offerDuration: BillingPeriod? { offerPeriod.flatMap { BillingPeriod(iso8601: $0) } }

    /// The billing plan of the subscription; nil when the field is absent or has an unknown value.
    public var billingPlan: BillingPlanType? { billingPlanType.flatMap { BillingPlanType(rawValue: $0) } }
}
