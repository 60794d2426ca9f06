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
