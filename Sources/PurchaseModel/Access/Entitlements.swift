/// The rule by which signed facts become entitlements.
public enum Entitlements {
    /// Folds the facts of one purchase into what they add up to; nil when there are none.
    ///
    /// Facts are taken in the order in which they were signed, whatever order they came in, and a fact that comes twice
    /// counts once: late, doubled and shuffled notifications end in the same state. Cost: one sort.
    public static func folding(_ facts: [SignedEvent]) -> Entitlement? {
        let ordered = Set(facts).sorted(by: isEarlier)
        var newest: [TransactionID: SignedEvent] = [:]
        for fact in ordered {
            newest[fact.transaction.transactionId] = fact
        }
        // What was paid for last decides; a refunded period falls back to nothing, because the refund ends the subscription.
        guard let current = newest.values.max(by: { isPaidEarlier($0.transaction, $1.transaction) }) else { return nil }
        // A purchase that was restored, or taken again while it was owned, has several transactions; a refund is told of the
        // one that was paid, and takes back the others of the same period with it.
        let revocation = newest.values.filter {
            $0.transaction.isRevoked && $0.transaction.expiresDate == current.transaction.expiresDate
        }.max { isEarlier($0, $1) }
        let renewal = ordered.last(where: { $0.renewal != nil })
        let deciding = revocation ?? [current, renewal].compactMap { $0 }.max { isEarlier($0, $1) } ?? current
        return Entitlement(
            originalTransactionID: current.transaction.originalTransactionId,
            productID: current.transaction.productId,
            state: revocation == nil ? state(of: current.transaction, renewal: renewal?.renewal) : .revoked,
            decidedBy: deciding.source,
            decidedAt: deciding.signedDate
        )
    }

    private static func state(of transaction: TransactionPayload, renewal: RenewalInfoPayload?) -> Entitlement.State {
        guard let expires = transaction.expiresDate else { return .owned }
        guard let renewal, speaks(renewal, of: transaction, until: expires) else { return .active(until: expires) }
        if renewal.isInBillingRetryPeriod == true {
            return renewal.gracePeriodExpiresDate.map { .gracePeriod(until: $0) } ?? .billingRetry
        }
        return renewal.expirationIntent == nil ? .active(until: expires) : .expired
    }

    /// Whether renewal information is about the newest period, and not about one before it.
    ///
    /// The transaction may have been signed anew since, so when it was signed does not settle it.
    private static func speaks(_ renewal: RenewalInfoPayload, of transaction: TransactionPayload, until expires: Timestamp) -> Bool {
        if renewal.signedDate >= transaction.signedDate { return true }
        guard let renewalDate = renewal.renewalDate else { return renewal.signedDate > transaction.purchaseDate }
        return renewalDate >= expires
    }

    private static func isPaidEarlier(_ lhs: TransactionPayload, _ rhs: TransactionPayload) -> Bool {
        let (left, right) = (lhs.expiresDate ?? lhs.purchaseDate, rhs.expiresDate ?? rhs.purchaseDate)
        return left == right ? lhs.transactionId < rhs.transactionId : left < right
    }

    private static func isEarlier(_ lhs: SignedEvent, _ rhs: SignedEvent) -> Bool {
        if lhs.signedDate != rhs.signedDate { return lhs.signedDate < rhs.signedDate }
        // Signed in the same millisecond: a revocation is never undone by its own past, then any fixed order will do.
        if lhs.transaction.isRevoked != rhs.transaction.isRevoked { return rhs.transaction.isRevoked }
        if (lhs.renewal == nil) != (rhs.renewal == nil) { return lhs.renewal == nil }
        if lhs.transaction.transactionId != rhs.transaction.transactionId {
            return lhs.transaction.transactionId < rhs.transaction.transactionId
        }
        return lhs.source < rhs.source
    }
}
