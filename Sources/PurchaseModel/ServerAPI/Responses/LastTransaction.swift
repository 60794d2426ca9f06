/// How one subscription stands.
public struct LastTransaction: Codable, Hashable, Sendable {
    /// The first transaction, which names the subscription.
    public var originalTransactionId: TransactionID
    /// 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
    public var status: Int
    /// The newest transaction.
    public var signedTransactionInfo: SignedTransaction
    /// What the store intends with it.
    public var signedRenewalInfo: SignedRenewalInfo

    /// Creates an element.
    public init(
        originalTransactionId: TransactionID, status: Int, signedTransactionInfo: SignedTransaction, signedRenewalInfo: SignedRenewalInfo
    ) {
        self.originalTransactionId = originalTransactionId
        self.status = status
        self.signedTransactionInfo = signedTransactionInfo
        self.signedRenewalInfo = signedRenewalInfo
    }

    /// The status, or nil for one this version does not know.
    public var subscriptionStatus: SubscriptionStatus? { SubscriptionStatus(rawValue: status) }
}
