/// A signed event of a purchase: a signed transaction, and the signed renewal info that came with it.
public struct SignedEvent: Codable, Hashable, Sendable {
    /// The transaction in the event.
    public var transaction: TransactionPayload
    /// The subscription's renewal info; nil when the event contains none.
    public var renewal: RenewalInfoPayload?
    /// The source of the event: the type of a notification, such as `DID_RENEW`, or `app` for a transaction that the app sent.
    public var source: String

    /// Creates a signed event.
    public init(transaction: TransactionPayload, renewal: RenewalInfoPayload? = nil, source: String) {
        self.transaction = transaction
        self.renewal = renewal
        self.source = source
    }

    /// The signature date of the transaction or of the renewal info, whichever is later.
    public var signedDate: Timestamp {
        max(transaction.signedDate, renewal?.signedDate ?? transaction.signedDate)
    }
}
