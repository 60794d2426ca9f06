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

extension SignedEvent {
    /// Returns whether the transaction of another event is a newer version of this event's transaction.
    ///
    /// The signature dates of the transactions decide. Of two versions with equal dates, a revoked one is newer, so that a revocation is not
    /// overlooked; then the one with the larger revoked share. The order of all other such events is arbitrary but fixed.
    public func hasOlderTransaction(than other: SignedEvent) -> Bool {
        let (version, otherVersion) = (transaction.version, other.transaction.version)
        if version != otherVersion { return version < otherVersion }
        if transaction.transactionId != other.transaction.transactionId {
            return transaction.transactionId < other.transaction.transactionId
        }
        return source < other.source
    }

    /// Returns whether another event has renewal info with a later signature date.
    ///
    /// The order of events with equal dates is arbitrary but fixed.
    public func hasOlderRenewal(than other: SignedEvent) -> Bool {
        guard let renewal, let otherRenewal = other.renewal else { return renewal == nil && other.renewal != nil }
        if renewal.signedDate != otherRenewal.signedDate { return renewal.signedDate < otherRenewal.signedDate }
        if transaction.transactionId != other.transaction.transactionId {
            return transaction.transactionId < other.transaction.transactionId
        }
        return source < other.source
    }

    /// Returns whether this event was signed earlier than another event; with equal dates, an event without renewal info is earlier.
    func isEarlier(than other: SignedEvent) -> Bool {
        signedDate == other.signedDate ? renewal == nil && other.renewal != nil : signedDate < other.signedDate
    }

    /// Returns what the event stated at a point in time; nil when its transaction was purchased later.
    func known(at date: Timestamp) -> SignedEvent? {
        guard transaction.purchaseDate <= date else { return nil }
        var event = self
        if let renewal, renewal.signedDate > date { event.renewal = nil }
        if let revocationDate = transaction.revocationDate, revocationDate > date {
            event.transaction.revocationDate = nil
            event.transaction.revocationReason = nil
            event.transaction.revocationType = nil
            event.transaction.revocationPercentage = nil
        }
        return event
    }
}

extension TransactionPayload {
    /// The end of the paid period, or the purchase date of a transaction without one; the latest transaction of a purchase counts.
    public var paidUntil: Timestamp { expiresDate ?? purchaseDate }

    /// The order of the signed versions of a transaction: the signature date, and then the revoked share, so that a revoked version comes
    /// last.
    var version: (signedDate: Timestamp, revokedShare: Int) { (signedDate, isRevoked ? revokedPercentage : -1) }

    /// The revoked share of a revoked transaction, in thousandths of a percent: 100 percent unless a prorated refund states less; 0 for a
    /// transaction that is not revoked.
    public var revokedPercentage: Int {
        guard isRevoked else { return 0 }
        guard kindOfRevocation == .proratedRefund, let revocationPercentage, (0...CreditRule.fullPercentage).contains(revocationPercentage)
        else { return CreditRule.fullPercentage }
        return revocationPercentage
    }

    /// Returns whether another transaction of the same purchase paid for a later period; equal dates are ordered by `transactionId`.
    func isPaidBefore(_ other: TransactionPayload) -> Bool {
        paidUntil == other.paidUntil ? transactionId < other.transactionId : paidUntil < other.paidUntil
    }
}
