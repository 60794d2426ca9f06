/// The part of a version 1 notification that has the content of a `verifyReceipt` response.
public struct UnifiedReceipt: Codable, Hashable, Sendable {
    /// The maximum number of transactions in ``latestReceiptInfo``.
    public static let limit = 100

    /// The server environment: `Sandbox` or `Production`.
    public var environment: String
    /// A receipt created for this notification, in standard base64.
    public var latestReceipt: String
    /// The newest transactions, newest first; at most ``limit``.
    public var latestReceiptInfo: [VerifyReceiptPurchase]
    /// The renewal info of each subscription.
    public var pendingRenewalInfo: [VerifyReceiptRenewal]
    /// The `verifyReceipt` status of the receipt; always 0.
    public var status: VerifyReceiptStatus

    private enum CodingKeys: String, CodingKey {
        case environment
        case latestReceipt = "latest_receipt"
        case latestReceiptInfo = "latest_receipt_info"
        case pendingRenewalInfo = "pending_renewal_info"
        case status
    }

    /// Creates a unified receipt with at most the first ``limit`` of the given transactions.
    public init(
        environment: AppEnvironment, latestReceipt: String, latestReceiptInfo: [VerifyReceiptPurchase],
        pendingRenewalInfo: [VerifyReceiptRenewal]
    ) {
        self.environment = environment.rawValue
        self.latestReceipt = latestReceipt
        self.latestReceiptInfo = Array(latestReceiptInfo.prefix(Self.limit))
        self.pendingRenewalInfo = pendingRenewalInfo
        self.status = .valid
    }
}
