/// The answer of `verifyReceipt` to a receipt of a single transaction, as iOS 6 had them: flat, and of another shape.
public struct VerifyTransactionReceiptResponse: Codable, Hashable, Sendable {
    /// What came of it; 21006 for a subscription that has ended.
    public var status: VerifyReceiptStatus
    /// `Sandbox` or `Production`.
    public var environment: String?
    /// The transaction; every value is text.
    public var receipt: [String: String]
    /// The newest period of a subscription that runs.
    public var latestReceiptInfo: [String: String]?
    /// A receipt of that period, in standard base64.
    public var latestReceipt: String?
    /// The newest period of a subscription that has ended.
    public var latestExpiredReceiptInfo: [String: String]?
    /// 1 when it will renew, 0 when not.
    public var autoRenewStatus: Int?
    /// The product of the next period.
    public var autoRenewProductID: ProductID?
    /// Why it ended.
    public var expirationIntent: String?
    /// Whether the store is still trying to charge: `1` or `0`.
    public var isInBillingRetryPeriod: String?

    private enum CodingKeys: String, CodingKey {
        case status
        case environment
        case receipt
        case latestReceiptInfo = "latest_receipt_info"
        case latestReceipt = "latest_receipt"
        case latestExpiredReceiptInfo = "latest_expired_receipt_info"
        case autoRenewStatus = "auto_renew_status"
        case autoRenewProductID = "auto_renew_product_id"
        case expirationIntent = "expiration_intent"
        case isInBillingRetryPeriod = "is_in_billing_retry_period"
    }

    /// Creates an answer about something that is no subscription.
    public init(status: VerifyReceiptStatus, receipt: [String: String]) {
        self.status = status
        self.receipt = receipt
    }
}
