/// The answer of `verifyReceipt`; everything but the status may be missing.
public struct VerifyReceiptResponse: Codable, Hashable, Sendable {
    /// What came of it.
    public var status: VerifyReceiptStatus
    /// `Sandbox` or `Production`.
    public var environment: String?
    /// The decoded receipt.
    public var receipt: VerifyReceiptBody?
    /// All that the store knows of the customer's subscriptions now.
    public var latestReceiptInfo: [VerifyReceiptPurchase]?
    /// A receipt made for this answer, in standard base64.
    public var latestReceipt: String?
    /// What the store intends with each subscription.
    public var pendingRenewalInfo: [VerifyReceiptRenewal]?
    /// Whether asking again may help.
    public var isRetryable: Bool?
    /// The name of the failure inside the App Store, which sometimes comes with 21002.
    public var exception: String?

    private enum CodingKeys: String, CodingKey {
        case status
        case environment
        case receipt
        case latestReceiptInfo = "latest_receipt_info"
        case latestReceipt = "latest_receipt"
        case pendingRenewalInfo = "pending_renewal_info"
        case isRetryable = "is_retryable"
        case exception
    }

    /// Creates an answer that holds a status and nothing else.
    public init(status: VerifyReceiptStatus) {
        self.status = status
    }
}
