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
        try gracePeriodExpiresDate?.encode(named: "grace_period_expires_date", to: encoder)
    }
}
