/// The commitment of a subscription that is charged monthly over a longer term.
public struct TransactionCommitmentInfo: Codable, Hashable, Sendable {
    /// The number of the transaction's charge within the commitment, from 1.
    public var billingPeriodNumber: Int?
    /// The number of charges in the commitment.
    public var totalBillingPeriods: Int?
    /// The expiration date of the commitment.
    public var commitmentExpiresDate: Timestamp?
    /// The price of the whole commitment, in thousandths of the currency unit.
    public var commitmentPrice: Int64?

    /// Creates a commitment without values.
    public init() {}
}

/// The next commitment of a subscription that is charged monthly over a longer term.
public struct RenewalCommitmentInfo: Codable, Hashable, Sendable {
    /// The identifier of the product of the next commitment.
    public var commitmentAutoRenewProductId: ProductID?
    /// The auto-renew status of the commitment: 1 when another commitment follows, 0 otherwise.
    public var commitmentAutoRenewStatus: Int?
    /// The billing plan of the next commitment.
    public var commitmentRenewalBillingPlanType: String?
    /// The start date of the next commitment.
    public var commitmentRenewalDate: Timestamp?
    /// The price of the next commitment, in thousandths of the currency unit.
    public var commitmentRenewalPrice: Int64?

    /// Creates a commitment without values.
    public init() {}

    /// Whether another commitment follows; nil when the field is absent or has an unknown value.
    public var autoRenewStatus: AutoRenewStatus? { commitmentAutoRenewStatus.flatMap { AutoRenewStatus(rawValue: $0) } }

    /// The billing plan of the next commitment; nil when the field is absent or has an unknown value.
    public var billingPlan: BillingPlanType? { commitmentRenewalBillingPlanType.flatMap { BillingPlanType(rawValue: $0) } }
}
