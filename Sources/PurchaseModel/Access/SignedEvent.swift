/// One signed event of a purchase, an input of the entitlement projection.
public struct SignedEvent: Codable, Hashable, Sendable {
    /// The transaction in the event.
    public var transaction: TransactionPayload
    /// The renewal info at the time of the event; nil for products that do not renew.
    public var renewal: RenewalInfoPayload?
    /// The source of the event, such as `DID_RENEW` or `app`.
    public var source: String

    /// Creates a signed event.
    public init(transaction: TransactionPayload, renewal: RenewalInfoPayload? = nil, source: String) {
        self.transaction = transaction
        self.renewal = renewal
        self.source = source
    }

    /// The signature date of the event.
    public var signedDate: Timestamp {
        max(transaction.signedDate, renewal?.signedDate ?? transaction.signedDate)
    }
}
