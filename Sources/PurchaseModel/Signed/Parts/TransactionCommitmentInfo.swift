/// The commitment that a monthly charge of a longer subscription belongs to.
public struct TransactionCommitmentInfo: Codable, Hashable, Sendable {
    /// Which of the charges this is, from 1 on.
    public var billingPeriodNumber: Int?
    /// How many charges the commitment has.
    public var totalBillingPeriods: Int?
    /// When the commitment ends.
    public var commitmentExpiresDate: Timestamp?
    /// What the whole commitment costs, in thousandths.
    public var commitmentPrice: Int64?

    /// Creates one that states nothing.
    public init() {}
}
