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

    /// The reason why several transactions represent the period; nil when the field is absent or has an unknown value.
    public var reasonOfAddition: AdditionalTransactionReason? {
        additionalTransactionReason.flatMap { AdditionalTransactionReason(rawValue: $0) }
    }

    /// The charge for the whole quantity, in thousandths of the currency unit; nil when the transaction states no price.
    ///
    /// ``price`` is the charge, except for a multi-seat purchase, where it is the rounded average price of a seat. The charge for seats is
    /// the sum over the price tiers. A transaction with an owner other than the purchaser repeats the purchaser's seats; its charge is zero,
    /// so that a sum over the transactions of a group counts the seats once.
    ///
    /// Source: Apple's `TransactionMultiSeatInfo` and `MultiSeatPriceTier`.
    public var total: Int64? {
        guard let multiSeatInfo else { return price }
        guard ownership != .assigned else { return price == nil ? nil : 0 }
        guard let tiers = multiSeatInfo.priceTiers, !tiers.isEmpty else { return average }
        return tiers.total ?? average
    }

    /// The average price of a seat, multiplied by the number of seats; nil if the transaction states no price, or if it is out of range.
    private var average: Int64? {
        guard let price, let seats = Int64(exactly: quantity) else { return nil }
        let (product, overflow) = price.multipliedReportingOverflow(by: seats)
        return overflow ? nil : product
    }

    /// Whether the transaction is the last charge of a commitment; false for a transaction without a commitment.
    ///
    /// Apple's auto-renew status of a canceled commitment remains 1 until this charge, because the monthly charges continue.
    public var isLastOfCommitment: Bool {
        guard let commitmentInfo else { return false }
        if let number = commitmentInfo.billingPeriodNumber, let count = commitmentInfo.totalBillingPeriods { return number >= count }
        guard let end = commitmentInfo.commitmentExpiresDate, let expiresDate else { return false }
        return end <= expiresDate
    }
}
