/// One element of `pending_renewal_info`; every value is text in JSON.
public struct VerifyReceiptRenewal: Codable, Hashable, Sendable {
    /// The identifier of the current product.
    public var productID: ProductID
    /// The identifier of the next period's product.
    public var autoRenewProductID: ProductID
    /// The original transaction identifier of the subscription.
    public var originalTransactionID: TransactionID
    /// The auto-renew status: `1` enabled, `0` disabled.
    public var autoRenewStatus: String
    /// The reason for the expiration, as in renewal info; only after the subscription expired.
    public var expirationIntent: String?
    /// The billing retry status: `1` in the billing retry period, `0` after it; only after a failed renewal.
    public var isInBillingRetryPeriod: String?
    /// The end of the billing grace period.
    public var gracePeriodExpiresDate: DateTriplet?
    /// The consent status: `1` consented, `0` not yet; only during a price increase with consent required.
    public var priceConsentStatus: String?
    /// The price increase status: `1` consented or notified, `0` not answered; only during a price increase.
    public var priceIncreaseStatus: String?
    /// The offer code of the next period.
    public var offerCodeRefName: String?
    /// The promotional offer of the next period.
    public var promotionalOfferID: String?

    /// Creates an element.
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

    /// Decodes an element.
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

    /// Encodes an element.
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
