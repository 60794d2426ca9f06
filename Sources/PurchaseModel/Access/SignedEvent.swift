/// One signed statement about a purchase: what entitlements are folded from.
public struct SignedEvent: Codable, Hashable, Sendable {
    /// The transaction as it was stated.
    public var transaction: TransactionPayload
    /// What the store intended with the subscription then; nil for anything that does not renew.
    public var renewal: RenewalInfoPayload?
    /// Where it came from, such as `DID_RENEW` or `app`.
    public var source: String

    /// Creates a fact.
    public init(transaction: TransactionPayload, renewal: RenewalInfoPayload? = nil, source: String) {
        self.transaction = transaction
        self.renewal = renewal
        self.source = source
    }

    /// When it was stated.
    public var signedDate: Timestamp {
        max(transaction.signedDate, renewal?.signedDate ?? transaction.signedDate)
    }
}
