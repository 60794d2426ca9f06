/// The status of one subscription.
public struct LastTransaction: Codable, Hashable, Sendable {
    /// The original transaction identifier of the subscription.
    public var originalTransactionId: TransactionID
    /// The status of the subscription: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
    public var status: Int
    /// The newest transaction of the subscription.
    public var signedTransactionInfo: SignedTransaction
    /// The renewal info of the subscription.
    public var signedRenewalInfo: SignedRenewalInfo

    /// Creates the status of one subscription.
    public init(
        originalTransactionId: TransactionID, status: Int, signedTransactionInfo: SignedTransaction, signedRenewalInfo: SignedRenewalInfo
    ) {
        self.originalTransactionId = originalTransactionId
        self.status = status
        self.signedTransactionInfo = signedTransactionInfo
        self.signedRenewalInfo = signedRenewalInfo
    }

    /// The typed value of ``status``; nil for an unknown number.
    public var subscriptionStatus: SubscriptionStatus? { SubscriptionStatus(rawValue: status) }
}
