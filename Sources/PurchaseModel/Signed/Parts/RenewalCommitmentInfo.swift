/// The commitment that follows the one of now.
public struct RenewalCommitmentInfo: Codable, Hashable, Sendable {
    /// The product of the next commitment.
    public var commitmentAutoRenewProductId: ProductID?
    /// 1 when another commitment will follow, 0 when not.
    public var commitmentAutoRenewStatus: Int?
    /// How the next commitment is charged for.
    public var commitmentRenewalBillingPlanType: String?
    /// When the next commitment begins.
    public var commitmentRenewalDate: Timestamp?
    /// What the next commitment costs, in thousandths.
    public var commitmentRenewalPrice: Int64?

    /// Creates one that states nothing.
    public init() {}

    /// Whether another commitment will follow, or nil for one this version does not know.
    public var autoRenewStatus: AutoRenewStatus? { commitmentAutoRenewStatus.flatMap { AutoRenewStatus(rawValue: $0) } }

    /// How the next commitment is charged for, or nil for one this version does not know.
    public var billingPlan: BillingPlanType? { commitmentRenewalBillingPlanType.flatMap { BillingPlanType(rawValue: $0) } }
}
