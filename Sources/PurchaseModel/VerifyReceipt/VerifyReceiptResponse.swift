/// The response of `verifyReceipt`; only the status is always present.
public struct VerifyReceiptResponse: Codable, Hashable, Sendable {
    /// The status of the request.
    public var status: VerifyReceiptStatus
    /// `Sandbox` or `Production`.
    public var environment: String?
    /// The decoded receipt.
    public var receipt: VerifyReceiptBody?
    /// The newest state of the customer's transactions.
    public var latestReceiptInfo: [VerifyReceiptPurchase]?
    /// A receipt created for this response, in standard base64.
    public var latestReceipt: String?
    /// The renewal info of each subscription.
    public var pendingRenewalInfo: [VerifyReceiptRenewal]?
    /// Whether a repeated request can succeed.
    public var isRetryable: Bool?
    /// The name of an internal App Store exception; sometimes present with status 21002.
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

    /// Creates a response with only a status.
    public init(status: VerifyReceiptStatus) {
        self.status = status
    }
}
