/// The request body of `verifyReceipt`.
public struct VerifyReceiptRequest: Codable, Hashable, Sendable {
    /// The receipt file in standard base64; nil for a request without a receipt, which `verifyReceipt` answers with status 21002.
    public var receiptData: String?
    /// The app's shared secret.
    public var password: String?
    /// Whether `latest_receipt_info` contains only the newest renewal of each subscription.
    public var excludeOldTransactions: Bool?

    private enum CodingKeys: String, CodingKey {
        case receiptData = "receipt-data"
        case password
        case excludeOldTransactions = "exclude-old-transactions"
    }

    /// Creates a request.
    public init(receiptData: String?, password: String? = nil, excludeOldTransactions: Bool? = nil) {
        self.receiptData = receiptData
        self.password = password
        self.excludeOldTransactions = excludeOldTransactions
    }
}
