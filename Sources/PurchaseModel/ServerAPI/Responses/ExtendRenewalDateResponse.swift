/// That the renewal of a subscription was put off.
public struct ExtendRenewalDateResponse: Codable, Hashable, Sendable {
    /// The subscription.
    public var originalTransactionId: TransactionID
    /// The period that was made longer.
    public var webOrderLineItemId: String?
    /// Whether it was.
    public var success: Bool
    /// The new end of the period.
    public var effectiveDate: Timestamp?

    /// Creates an answer.
    public init(originalTransactionId: TransactionID, webOrderLineItemId: String? = nil, success: Bool, effectiveDate: Timestamp? = nil) {
        self.originalTransactionId = originalTransactionId
        self.webOrderLineItemId = webOrderLineItemId
        self.success = success
        self.effectiveDate = effectiveDate
    }
}
