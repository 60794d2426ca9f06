/// One element of `pending_renewal_info`: every value is text on the wire.
public struct VerifyReceiptRenewal: Codable, Hashable, Sendable {
    /// The product subscribed to now.
    public var productID: ProductID
    /// The product of the next period.
    public var autoRenewProductID: ProductID
    /// The subscription.
    public var originalTransactionID: TransactionID
    /// `1` on, `0` off.
    public var autoRenewStatus: String
    /// Why it ended, as in renewal information; only when it did.
    public var expirationIntent: String?
    /// `1` while the store still tries to charge, `0` when it gave up; only after a failed renewal.
    public var isInBillingRetryPeriod: String?
    /// Until when access is kept while the store tries to charge.
    public var gracePeriodExpiresDate: DateTriplet?
    /// `1` agreed, `0` not yet; only while a price rises for which consent is needed.
    public var priceConsentStatus: String?
    /// `1` agreed or told, `0` not answered; only while a price rises.
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

    /// Reads an element.
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

    /// Writes an element.
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
