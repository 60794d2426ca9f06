/// The payload of signed renewal info (Apple's `JWSRenewalInfoDecodedPayload`).
///
/// Apple guarantees the presence of no field. This type requires ``signedDate``, which verification needs, and the original transaction
/// identifier of the subscription. Renewal info that the App Store signed in 2021 has no `environment`.
public struct RenewalInfoPayload: Codable, Hashable, Sendable {
    /// The identifier of the subscription's first transaction.
    public var originalTransactionId: TransactionID
    /// The identifier of the subscription's current product.
    public var productId: ProductID?
    /// The identifier of the product that the subscription renews with.
    public var autoRenewProductId: ProductID?
    /// The auto-renew status: 1 when auto-renew is enabled, 0 when auto-renew is disabled.
    public var autoRenewStatus: Int?
    /// The reason for the expiration: 1 canceled, 2 billing error, 3 no consent to a price increase, 4 product unavailable, 5 other,
    /// 6 left a bundle.
    public var expirationIntent: Int?
    /// Whether the subscription is in its billing retry period.
    public var isInBillingRetryPeriod: Bool?
    /// The end of the billing grace period.
    public var gracePeriodExpiresDate: Timestamp?
    /// The status of a price increase: 0 not answered, 1 consented or notified; absent without a price increase.
    public var priceIncreaseStatus: Int?
    /// The end of the newest subscription period, which can be in the past.
    public var renewalDate: Timestamp?
    /// The price of the next period, in thousandths of the currency unit; for a multi-seat purchase, the average price of a seat.
    public var renewalPrice: Int64?
    /// The number of seats with which the subscription renews; only multi-seat subscriptions have it.
    public var renewalQuantity: Int?
    /// The seats of the next period; only subscriptions that renew with several seats have them.
    public var multiSeatInfo: RenewalMultiSeatInfo?
    /// The ISO 4217 code of the currency of ``renewalPrice``.
    public var currency: String?
    /// The kind of offer for the next period: 1 introductory, 2 promotional, 3 offer code, 4 win-back, 5 retention.
    public var offerType: Int?
    /// The identifier of the offer for the next period; introductory offers have none.
    public var offerIdentifier: String?
    /// The payment mode of the offer for the next period, such as `FREE_TRIAL`.
    public var offerDiscountType: String?
    /// The total duration of the offer for the next period, as an ISO 8601 duration.
    public var offerPeriod: String?
    /// The identifiers of the win-back offers that the customer is eligible for, best first.
    public var eligibleWinBackOfferIds: [String]?
    /// The start of the customer's paid service, ignoring gaps that are shorter than 60 days.
    public var recentSubscriptionStartDate: Timestamp?
    /// The date when the store signed the renewal info.
    public var signedDate: Timestamp
    /// The app account token that the transaction of the next renewal will have.
    public var appAccountToken: CustomerID?
    /// The app transaction identifier, which is unique to each customer and app and never changes.
    public var appTransactionId: String?
    /// The billing plan of the next period, such as `MONTHLY`.
    public var renewalBillingPlanType: String?
    /// The renewal after the current commitment; only subscriptions in a commitment have it.
    public var commitmentInfo: RenewalCommitmentInfo?
    /// The identifier of the bundle that the next renewal belongs to.
    public var bundleProductId: ProductID?
    /// The identifier of the subscription group of the next renewal's bundle.
    public var bundleSubscriptionGroupIdentifier: SubscriptionGroupID?
    /// The identifier of the first transaction of the next renewal's bundle.
    public var bundleOriginalTransactionId: TransactionID?
    /// Whether the subscription leaves its bundle at the next renewal and then renews alone; false when the field is absent.
    public var isPendingUnbundle: Bool?
    /// The information that only Advanced Commerce subscriptions have.
    public var advancedCommerceInfo: AdvancedCommerceRenewalInfo?
    /// The SHA-384 hash, in base64, that binds the renewal info to a device; absent in data from the App Store Server API.
    public var deviceVerification: String?
    /// The UUID that is part of the hashed input of ``deviceVerification``.
    public var deviceVerificationNonce: String?

    // The value is optional, so that a field that is absent in the signed payload is not encoded either.
    private var statedEnvironment: String?

    /// The server environment of the subscription; empty when the field is absent, as in data of 2021, and the environment unknown.
    public var environment: String {
        get { statedEnvironment ?? "" }
        set { statedEnvironment = newValue.isEmpty ? nil : newValue }
    }

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
        self.statedEnvironment = environment
        self.signedDate = signedDate
    }

    private enum CodingKeys: String, CodingKey {
        case originalTransactionId
        case productId
        case autoRenewProductId
        case autoRenewStatus
        case expirationIntent
        case isInBillingRetryPeriod
        case gracePeriodExpiresDate
        case priceIncreaseStatus
        case renewalDate
        case renewalPrice
        case renewalQuantity
        case multiSeatInfo
        case currency
        case offerType
        case offerIdentifier
        case offerDiscountType
        case offerPeriod
        case eligibleWinBackOfferIds
        case recentSubscriptionStartDate
        case statedEnvironment = "environment"
        case signedDate
        case appAccountToken
        case appTransactionId
        case renewalBillingPlanType
        case commitmentInfo
        case bundleProductId
        case bundleSubscriptionGroupIdentifier
        case bundleOriginalTransactionId
        case isPendingUnbundle
        case advancedCommerceInfo
        case deviceVerification
        case deviceVerificationNonce
    }
}

extension RenewalInfoPayload {
    /// The payload without the members that differ between two signatures of the same renewal info.
    package var facts: RenewalInfoPayload {
        var copy = self
        copy.signedDate = Timestamp(milliseconds: 0)
        copy.deviceVerification = nil
        copy.deviceVerificationNonce = nil
        return copy
    }
}
