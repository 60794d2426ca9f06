/// What the store intends with a subscription (Apple's `JWSRenewalInfoDecodedPayload`).
public struct RenewalInfoPayload: Codable, Hashable, Sendable {
    /// The first transaction of the subscription.
    public var originalTransactionId: TransactionID
    /// The product subscribed to now.
    public var productId: ProductID
    /// The product of the next period.
    public var autoRenewProductId: ProductID
    /// 1 when it will renew, 0 when it was switched off.
    public var autoRenewStatus: Int
    /// Why it ended: 1 cancelled, 2 billing error, 3 price increase not agreed, 4 product unavailable, 5 other.
    public var expirationIntent: Int?
    /// Whether the store is still trying to charge after a failure.
    public var isInBillingRetryPeriod: Bool?
    /// Until when the customer keeps access while the store tries to charge.
    public var gracePeriodExpiresDate: Timestamp?
    /// The end of the newest period; may be past.
    public var renewalDate: Timestamp?
    /// Where the purchase was made.
    public var environment: String
    /// When this statement was signed.
    public var signedDate: Timestamp

    /// Creates renewal information of the fields that are always there.
    public init(
        originalTransactionId: TransactionID,
        productId: ProductID,
        autoRenewStatus: Int,
        environment: String,
        signedDate: Timestamp
    ) {
        self.originalTransactionId = originalTransactionId
        self.productId = productId
        self.autoRenewProductId = productId
        self.autoRenewStatus = autoRenewStatus
        self.environment = environment
        self.signedDate = signedDate
    }
}
