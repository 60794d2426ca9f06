/// The payload of signed renewal info (Apple's `JWSRenewalInfoDecodedPayload`).
///
/// Apple guarantees no field. This type requires the fields that verification needs (`environment`, `signedDate`), and the original
/// transaction identifier of the subscription.
public struct RenewalInfoPayload: Codable, Hashable, Sendable {
    /// The identifier of the subscription's first transaction.
    public var originalTransactionId: TransactionID
    /// The identifier of the current product.
    public var productId: ProductID?
    /// The identifier of the next period's product.
    public var autoRenewProductId: ProductID?
    /// The renewal status: 1 when auto-renew is enabled, 0 when it is disabled.
    public var autoRenewStatus: Int?
    /// The reason for the expiration: 1 canceled, 2 billing error, 3 no consent to a price increase, 4 product unavailable, 5 other.
    public var expirationIntent: Int?
    /// Whether the subscription is in its billing retry period.
    public var isInBillingRetryPeriod: Bool?
    /// The end of the billing grace period.
    public var gracePeriodExpiresDate: Timestamp?
    /// The status of a price increase: 0 not answered, 1 consented or notified; absent without a price increase.
    public var priceIncreaseStatus: Int?
    /// The end of the newest period; possibly in the past.
    public var renewalDate: Timestamp?
    /// The price of the next period, in thousandths of the currency unit.
    public var renewalPrice: Int64?
    /// ISO 4217 code of `renewalPrice`.
    public var currency: String?
    /// The kind of offer of the next period: 1 introductory, 2 promotional, 3 offer code, 4 win-back.
    public var offerType: Int?
    /// The offer identifier; introductory offers have none.
    public var offerIdentifier: String?
    /// The payment mode of the offer, such as `FREE_TRIAL`.
    public var offerDiscountType: String?
    /// The total duration of the offer, as an ISO 8601 duration.
    public var offerPeriod: String?
    /// The win-back offers that the customer is eligible for, best first.
    public var eligibleWinBackOfferIds: [String]?
    /// The start of the newest run of paid service without a long gap.
    public var recentSubscriptionStartDate: Timestamp?
    /// The server environment of the purchase.
    public var environment: String
    /// The date of the signature.
    public var signedDate: Timestamp
    /// The app account token of the next renewal.
    public var appAccountToken: CustomerID?
    /// The app transaction identifier, which is unique to each customer and app and never changes.
    public var appTransactionId: String?
    /// The billing plan of the next period, such as `MONTHLY`.
    public var renewalBillingPlanType: String?
    /// The commitment of the next period.
    public var commitmentInfo: RenewalCommitmentInfo?
    /// The additional information of Advanced Commerce.
    public var advancedCommerceInfo: AdvancedCommerceRenewalInfo?
    /// The value that binds this copy to a device: base64 of SHA-384; present only in copies from the device.
    public var deviceVerification: String?
    /// The UUID that is part of the input of ``deviceVerification``.
    public var deviceVerificationNonce: String?

    /// Creates renewal info with the fields that are always present.
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
