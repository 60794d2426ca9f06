/// The response of `verifyReceipt` to an app receipt; only the status is always present.
public struct VerifyReceiptResponse: Codable, Hashable, Sendable {
    /// The result of the request; 0 for a valid receipt.
    public var status: VerifyReceiptStatus
    /// The server environment of the receipt: `Sandbox` or `Production`.
    public var environment: String?
    /// The contents of the receipt.
    public var receipt: VerifyReceiptBody?
    /// The customer's transactions, in their newest state.
    public var latestReceiptInfo: [VerifyReceiptPurchase]?
    /// A receipt created for this response, in standard base64.
    public var latestReceipt: String?
    /// The renewal info of each subscription.
    public var pendingRenewalInfo: [VerifyReceiptRenewal]?
    /// Whether the same request can succeed later.
    public var isRetryable: Bool?
    /// The name of an internal exception of the App Store, which some responses with status 21002 contain.
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
