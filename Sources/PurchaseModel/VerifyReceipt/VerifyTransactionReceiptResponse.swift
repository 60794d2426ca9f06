/// The response of `verifyReceipt` to a transaction receipt (`SKPaymentTransaction.transactionReceipt`), in the format of iOS 6.
public struct VerifyTransactionReceiptResponse: Codable, Hashable, Sendable {
    /// The result of the request: 0 for a valid receipt, 21006 for a valid receipt of an expired subscription.
    public var status: VerifyReceiptStatus
    /// The server environment of the receipt: `Sandbox` or `Production`.
    public var environment: String?
    /// The fields of the transaction, in which every value is text.
    public var receipt: [String: String]
    /// The fields of the newest transaction of an active subscription.
    public var latestReceiptInfo: [String: String]?
    /// A receipt of the subscription's newest transaction, in standard base64.
    public var latestReceipt: String?
    /// The fields of the newest transaction of an expired subscription.
    public var latestExpiredReceiptInfo: [String: String]?
    /// The auto-renew status: 1 enabled, 0 disabled.
    public var autoRenewStatus: Int?
    /// The identifier of the product that the subscription renews with.
    public var autoRenewProductID: ProductID?
    /// The reason that the subscription expired: `1` to `5`, as in signed renewal info.
    public var expirationIntent: String?
    /// The billing retry status: `1` in the billing retry period, `0` after that period.
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

    /// Creates a response about a product that is not a subscription.
    public init(status: VerifyReceiptStatus, receipt: [String: String]) {
        self.status = status
        self.receipt = receipt
    }
}
