/// The commitment that follows the current one.
public struct RenewalCommitmentInfo: Codable, Hashable, Sendable {
    /// The product of the next commitment.
    public var commitmentAutoRenewProductId: ProductID?
    /// The renewal status: 1 when another commitment follows, 0 otherwise.
    public var commitmentAutoRenewStatus: Int?
    /// The billing plan of the next commitment.
    public var commitmentRenewalBillingPlanType: String?
    /// The start date of the next commitment.
    public var commitmentRenewalDate: Timestamp?
    /// The price of the next commitment, in thousandths of the currency unit.
    public var commitmentRenewalPrice: Int64?

    /// Creates a commitment without values.
    public init() {}

    /// Whether another commitment follows, or nil for a value unknown to this version.
    public var autoRenewStatus: AutoRenewStatus? { commitmentAutoRenewStatus.flatMap { AutoRenewStatus(rawValue: $0) } }

    /// The billing plan of the next commitment, or nil for a value unknown to this version.
    public var billingPlan: BillingPlanType? { commitmentRenewalBillingPlanType.flatMap { BillingPlanType(rawValue: $0) } }
}
