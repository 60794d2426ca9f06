/// The part of a notification of the first version that says what `verifyReceipt` would.
public struct UnifiedReceipt: Codable, Hashable, Sendable {
    /// How many transactions are told of at most.
    public static let limit = 100

    /// `Sandbox` or `Production`.
    public var environment: String
    /// A receipt made for this notification, in standard base64.
    public var latestReceipt: String
    /// The newest transactions, newest first; ``limit`` at most.
    public var latestReceiptInfo: [VerifyReceiptPurchase]
    /// What the store intends with each subscription.
    public var pendingRenewalInfo: [VerifyReceiptRenewal]
    /// Always 0.
    public var status: VerifyReceiptStatus

    private enum CodingKeys: String, CodingKey {
        case environment
        case latestReceipt = "latest_receipt"
        case latestReceiptInfo = "latest_receipt_info"
        case pendingRenewalInfo = "pending_renewal_info"
        case status
    }

    /// Creates the part; of more than ``limit`` transactions the first ones are told of.
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
