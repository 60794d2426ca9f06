/// What the store intends with a subscription (Apple's `JWSRenewalInfoDecodedPayload`).
///
/// Apple promises no field. Required here is what a verifier judges by (`environment`, `signedDate`), and the purchase that the
/// statement is about.
public struct RenewalInfoPayload: Codable, Hashable, Sendable {
    /// The first transaction of the subscription.
    public var originalTransactionId: TransactionID
    /// The product subscribed to now.
    public var productId: ProductID?
    /// The product of the next period.
    public var autoRenewProductId: ProductID?
    /// 1 when it will renew, 0 when it was switched off.
    public var autoRenewStatus: Int?
    /// Why it ended: 1 cancelled, 2 billing error, 3 price increase not agreed, 4 product unavailable, 5 other.
    public var expirationIntent: Int?
    /// Whether the store is still trying to charge after a failure.
    public var isInBillingRetryPeriod: Bool?
    /// Until when the customer keeps access while the store tries to charge.
    public var gracePeriodExpiresDate: Timestamp?
    /// A higher price: 0 not answered, 1 agreed or told; absent when there is none.
    public var priceIncreaseStatus: Int?
    /// The end of the newest period; may be past.
    public var renewalDate: Timestamp?
    /// What the next period costs, in thousandths.
    public var renewalPrice: Int64?
    /// ISO 4217 code of `renewalPrice`.
    public var currency: String?
    /// The kind of offer of the next period: 1 introductory, 2 promotional, 3 offer code, 4 win-back.
    public var offerType: Int?
    /// Which offer; introductory ones have no identifier.
    public var offerIdentifier: String?
    /// How the offer is paid, such as `FREE_TRIAL`.
    public var offerDiscountType: String?
    /// How long the offer lasts in all, as an ISO 8601 duration.
    public var offerPeriod: String?
    /// The win-back offers that the customer may have, best first.
    public var eligibleWinBackOfferIds: [String]?
    /// When the newest run of paid service without a long gap began.
    public var recentSubscriptionStartDate: Timestamp?
    /// Where the purchase was made.
    public var environment: String
    /// When this statement was signed.
    public var signedDate: Timestamp
    /// The customer that the next renewal will be for.
    public var appAccountToken: CustomerID?
    /// One for each customer and app, the same for ever.
    public var appTransactionId: String?
    /// How the next period is charged for, such as `MONTHLY`.
    public var renewalBillingPlanType: String?
    /// The commitment to come.
    public var commitmentInfo: RenewalCommitmentInfo?
    /// What Advanced Commerce says beyond.
    public var advancedCommerceInfo: AdvancedCommerceRenewalInfo?
    /// Binds this copy to a device: base64 of SHA-384; only in copies obtained on the device.
    public var deviceVerification: String?
    /// The UUID that went into ``deviceVerification``.
    public var deviceVerificationNonce: String?

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
