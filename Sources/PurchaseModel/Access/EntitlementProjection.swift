/// The function that determines a customer's entitlement from the signed events of a purchase.
public enum EntitlementProjection {
    /// Returns the entitlement that results from the signed events of one purchase, or nil when there are no events.
    ///
    /// The function orders the events by their signature dates, and counts a duplicate event once. Late, duplicate and reordered
    /// notifications therefore result in the same entitlement. The cost is that of one sort.
    public static func project(_ events: [SignedEvent]) -> Entitlement? {
        let ordered = Set(events).sorted(by: isEarlier)
        var newest: [TransactionID: SignedEvent] = [:]
        for event in ordered {
            newest[event.transaction.transactionId] = event
        }
        // The latest paid period determines the state. When it is refunded, no earlier period takes its place, because the refund ends the
        // subscription.
        guard let current = newest.values.max(by: { isPaidEarlier($0.transaction, $1.transaction) }) else { return nil }
        // A restored purchase, or a repeated purchase of an already owned product, has several transactions. A refund notification contains
        // only the paid transaction, and revokes the other transactions of the same period too.
        let revocation = newest.values.filter {
            $0.transaction.isRevoked && $0.transaction.expiresDate == current.transaction.expiresDate
        }.max { isEarlier($0, $1) }
        let renewal = ordered.last(where: { $0.renewal != nil })
        let deciding = revocation ?? [current, renewal].compactMap { $0 }.max { isEarlier($0, $1) } ?? current
        return Entitlement(
            originalTransactionID: current.transaction.originalTransactionId,
            productID: current.transaction.productId,
            state: revocation == nil ? state(of: current.transaction, renewal: renewal?.renewal) : .revoked,
            source: deciding.source,
            signedDate: deciding.signedDate
        )
    }

    private static func state(of transaction: TransactionPayload, renewal: RenewalInfoPayload?) -> Entitlement.State {
        guard let expires = transaction.expiresDate else { return .owned }
        guard let renewal, concerns(renewal, of: transaction, until: expires) else { return .active(until: expires) }
        if renewal.isInBillingRetryPeriod == true {
            return renewal.gracePeriodExpiresDate.map { .gracePeriod(until: $0) } ?? .billingRetry
        }
        return renewal.expirationIntent == nil ? .active(until: expires) : .expired
    }

    /// Returns whether renewal info concerns the newest period of a subscription, which `transaction` started, and not an earlier period.
    ///
    /// Renewal info with an earlier signature date than the transaction can concern the newest period too, because the store can sign the
    /// transaction again later. In this case the renewal date decides.
    private static func concerns(_ renewal: RenewalInfoPayload, of transaction: TransactionPayload, until expires: Timestamp) -> Bool {
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
        // Among events with equal signature dates, a revoked transaction comes after a transaction without a revocation. The order of all
        // other events with equal signature dates is arbitrary but fixed.
        if lhs.transaction.isRevoked != rhs.transaction.isRevoked { return rhs.transaction.isRevoked }
        if (lhs.renewal == nil) != (rhs.renewal == nil) { return lhs.renewal == nil }
        if lhs.transaction.transactionId != rhs.transaction.transactionId {
            return lhs.transaction.transactionId < rhs.transaction.transactionId
        }
        return lhs.source < rhs.source
    }
}
