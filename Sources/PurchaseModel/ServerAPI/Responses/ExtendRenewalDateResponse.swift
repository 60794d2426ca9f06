/// A response to the extension of a subscription's renewal date.
public struct ExtendRenewalDateResponse: Codable, Hashable, Sendable {
    /// The original transaction identifier of the subscription.
    public var originalTransactionId: TransactionID
    /// The identifier of the purchase event of the extended subscription period.
    public var webOrderLineItemId: String?
    /// Whether the renewal date was extended.
    public var success: Bool
    /// The renewal date after the extension.
    public var effectiveDate: Timestamp?

    /// Creates a response.
    public init(originalTransactionId: TransactionID, webOrderLineItemId: String? = nil, success: Bool, effectiveDate: Timestamp? = nil) {
        self.originalTransactionId = originalTransactionId
        self.webOrderLineItemId = webOrderLineItemId
        self.success = success
        self.effectiveDate = effectiveDate
    }
}
