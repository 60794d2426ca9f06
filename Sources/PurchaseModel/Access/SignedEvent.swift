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
    ///
    /// A renewal is charged and signed before its purchase date, which is the start of its period.
    func known(at date: Timestamp) -> SignedEvent? {
        guard min(transaction.purchaseDate, transaction.signedDate) <= date else { return nil }
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
    /// The end of the paid period, or the purchase date of a transaction without one.
    public var paidUntil: Timestamp { expiresDate ?? purchaseDate }

    /// The period that the transaction belongs to: its `webOrderLineItemId`, which the restored transactions of a period have in common, or
    /// the expiration date of a transaction without one; empty for a transaction without a period.
    public var periodID: String {
        guard let expiresDate else { return "" }
        guard let line = webOrderLineItemId, !line.isEmpty, line != "0" else { return "until \(expiresDate.milliseconds)" }
        return line
    }

    /// The start of the period, as far as the transaction states it; the earliest start that the transactions of a period state counts.
    ///
    /// A restored transaction states the date of the restore, which can be later than the end of the period.
    public var periodStart: Timestamp {
        guard expiresDate != nil else { return purchaseDate }
        return min(purchaseDate, paidUntil.adding(milliseconds: -1))
    }

    /// The order of the signed versions of a transaction: the signature date, and then the revoked share, so that a revoked version comes
    /// last.
    var version: (signedDate: Timestamp, revokedShare: Int) { (signedDate, isRevoked ? revokedPercentage : -1) }

    /// The revoked share of a revoked transaction, in thousandths of a percent: 100 percent unless a prorated refund states less; 0 for a
    /// transaction that is not revoked, or whose subscription moved to a bundle, because that is no refund.
    public var revokedPercentage: Int {
        guard isRevoked, reasonOfRevocation != .upgradedToBundle else { return 0 }
        guard kindOfRevocation == .proratedRefund, let revocationPercentage, (0...CreditRule.fullPercentage).contains(revocationPercentage)
        else { return CreditRule.fullPercentage }
        return revocationPercentage
    }

    /// Whether a refund was prorated, so that the customer keeps a share of the credits.
    public var isPartlyRevoked: Bool { isRevoked && revokedPercentage < CreditRule.fullPercentage }

    /// Returns whether another revoked transaction of the same period was revoked later; equal dates are ordered by `transactionId`.
    func isRevokedBefore(_ other: TransactionPayload) -> Bool {
        let (date, otherDate) = (revocationDate ?? purchaseDate, other.revocationDate ?? other.purchaseDate)
        return date == otherDate ? transactionId < other.transactionId : date < otherDate
    }

    /// Returns whether another transaction of the same period is paid until a later date; equal dates are ordered by `transactionId`.
    func isPaidBefore(_ other: TransactionPayload) -> Bool {
        paidUntil == other.paidUntil ? transactionId < other.transactionId : paidUntil < other.paidUntil
    }
}
