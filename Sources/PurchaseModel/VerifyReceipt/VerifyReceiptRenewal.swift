/// The renewal info of a subscription in `pending_renewal_info` of a `verifyReceipt` response; every value is text in JSON.
public struct VerifyReceiptRenewal: Codable, Hashable, Sendable {
    /// The identifier of the subscription's current product.
    public var productID: ProductID
    /// The identifier of the product that the subscription renews with.
    public var autoRenewProductID: ProductID
    /// The original transaction identifier of the subscription.
    public var originalTransactionID: TransactionID
    /// The auto-renew status: `1` enabled, `0` disabled.
    public var autoRenewStatus: String
    /// The reason that the subscription expired: `1` to `5`, as in signed renewal info; absent before the expiration.
    public var expirationIntent: String?
    /// The billing retry status: `1` in the billing retry period, `0` after that period; absent without a failed renewal.
    public var isInBillingRetryPeriod: String?
    /// The end of the billing grace period.
    public var gracePeriodExpiresDate: DateTriplet?
    /// The consent to a price increase: `1` consented, `0` not answered; absent unless a price increase requires consent.
    public var priceConsentStatus: String?
    /// The status of a price increase: `1` consented or notified, `0` not answered; absent without a price increase.
    public var priceIncreaseStatus: String?
    /// The reference name of the offer code for the next period.
    public var offerCodeRefName: String?
    /// The identifier of the promotional offer for the next period.
    public var promotionalOfferID: String?

    /// Creates the renewal info of a subscription.
    public init(productID: ProductID, originalTransactionID: TransactionID, autoRenewStatus: String) {
        self.productID = productID
        self.autoRenewProductID = productID
        self.originalTransactionID = originalTransactionID
        self.autoRenewStatus = autoRenewStatus
    }

    private enum CodingKeys: String, CodingKey {
        case productID = "product_id"
        case autoRenewProductID = "auto_renew_product_id"
        case originalTransactionID = "original_transaction_id"
        case autoRenewStatus = "auto_renew_status"
        case expirationIntent = "expiration_intent"
        case isInBillingRetryPeriod = "is_in_billing_retry_period"
        case priceConsentStatus = "price_consent_status"
        case priceIncreaseStatus = "price_increase_status"
        case offerCodeRefName = "offer_code_ref_name"
        case promotionalOfferID = "promotional_offer_id"
    }

    /// Decodes the renewal info of a subscription.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        productID = try container.decode(ProductID.self, forKey: .productID)
        autoRenewProductID = try container.decode(ProductID.self, forKey: .autoRenewProductID)
        originalTransactionID = try container.decode(TransactionID.self, forKey: .originalTransactionID)
        autoRenewStatus = try container.decode(String.self, forKey: .autoRenewStatus)
        expirationIntent = try container.decodeIfPresent(String.self, forKey: .expirationIntent)
        isInBillingRetryPeriod = try container.decodeIfPresent(String.self, forKey: .isInBillingRetryPeriod)
        priceConsentStatus = try container.decodeIfPresent(String.self, forKey: .priceConsentStatus)
        priceIncreaseStatus = try container.decodeIfPresent(String.self, forKey: .priceIncreaseStatus)
        offerCodeRefName = try container.decodeIfPresent(String.self, forKey: .offerCodeRefName)
        promotionalOfferID = try container.decodeIfPresent(String.self, forKey: .promotionalOfferID)
        gracePeriodExpiresDate = try DateTriplet(named: "grace_period_expires_date", from: decoder)
    }

    /// Encodes the renewal info of a subscription.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(productID, forKey: .productID)
        try container.encode(autoRenewProductID, forKey: .autoRenewProductID)
        try container.encode(originalTransactionID, forKey: .originalTransactionID)
        try container.encode(autoRenewStatus, forKey: .autoRenewStatus)
        try container.encodeIfPresent(expirationIntent, forKey: .expirationIntent)
        try container.encodeIfPresent(isInBillingRetryPeriod, forKey: .isInBillingRetryPeriod)
        try container.encodeIfPresent(priceConsentStatus, forKey: .priceConsentStatus)
        try container.encodeIfPresent(priceIncreaseStatus, forKey: .priceIncreaseStatus)
        try container.encodeIfPresent(offerCodeRefName, forKey: .offerCodeRefName)
        try container.encodeIfPresent(promotionalOfferID, forKey: .promotionalOfferID)
        try gracePeriodExpiresDate?.encode(named: "grace_period_expires_date", to: encoder)
    }
}
