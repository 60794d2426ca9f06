package import PurchaseModel
package import PurchaseStorage

/// The entitlements and the deciding `appAccountToken` that follow from the signed events of a purchase.
package struct PurchaseProjection: Sendable {
    package var timeline: EntitlementTimeline
    /// The deciding `appAccountToken` of the purchase; nil for a purchase without a token.
    package let token: CustomerID?
    /// Whether a transaction of the latest periods states seats.
    let hasSeats: Bool

    package init(timeline: EntitlementTimeline, token: CustomerID?) {
        self.timeline = timeline
        self.token = token
        hasSeats = false
    }

    /// Projects a purchase from its only event.
    init(first event: SignedEvent) {
        timeline = EntitlementProjection.timeline(from: DecidingEvents(first: event))
        token = event.transaction.appAccountToken
        hasSeats = event.transaction.multiSeatInfo != nil
    }

    /// Projects a purchase from its stored events; nil for a purchase without events.
    package init?(of purchase: TransactionID, in records: any StorageTransaction) throws {
        guard let deciding = try records.decidingEvents(of: purchase) else { return nil }
        let (timeline, latest) = EntitlementProjection.timelineAndPeriod(from: deciding)
        self.timeline = timeline
        token = try records.appAccountToken(of: purchase, in: latest.current.transaction.periodID)
        hasSeats = deciding.periods.contains { $0.current.transaction.multiSeatInfo != nil }
    }
}

extension PurchaseRecord {
    /// Computes the entitlements and the customers of a purchase.
    ///
    /// The recorder computes a purchase after each event. A rebuild and a merge reversal compute a purchase from all recorded claims, and a
    /// policy replay from claims that were decided again under another configuration. The result is the same for the same events and
    /// claims,
    /// because an `appAccountToken` overrides a claim without a proof regardless of the order of events.
    ///
    /// - Parameters:
    ///   - projection: The projection of the purchase's signed events.
    ///   - stored: The purchase after the earlier decisions; nil to compute the purchase from `projection` and `claims` alone.
    ///   - claims: The decisions about claims after the decisions of `stored`, oldest first.
    ///   - current: Returns the target of a customer's merge, or the same customer without a merge.
    package init(
        _ projection: PurchaseProjection, after stored: PurchaseRecord? = nil, claims: [PurchaseClaim] = [],
        current: (CustomerID) throws -> CustomerID
    ) rethrows {
        self.init(
            timeline: projection.timeline, customer: stored?.customer, attribution: stored?.attribution,
            sharedWith: stored?.sharedWith ?? [])
        for claim in claims { apply(claim) }
        if attribution?.isProof != true, let token = projection.token, token.isWellFormed {
            customer = try current(token)
            attribution = .appAccountToken
        }
        // Replace merged customers, because a merge changes the customers of stored purchases, but not of recorded claims.
        if !claims.isEmpty { try replaceMerged(current) }
    }
}

extension TransferRules {
    /// Decides about a customer's claim of a purchase, and applies the decision to the customers of the purchase.
    ///
    /// - Parameters:
    ///   - customer: The customer who proves the purchase.
    ///   - attribution: The kind of the customer's proof.
    ///   - purchase: The purchase.
    ///   - claims: The earlier claims of the purchase.
    ///   - date: The date of the claim.
    ///   - isReplay: Whether the claim is in the past, so that a later deletion of the owner's data does not count.
    ///   - records: The app's records, which contain the customers.
    /// - Returns: The decision; nil for a claim without an effect.
    package func claim(
        by customer: CustomerID, _ attribution: PurchaseRecord.Attribution, _ purchase: inout PurchaseRecord, after claims: [PurchaseClaim],
        at date: Timestamp, isReplay: Bool = false, in records: any StorageTransaction
    ) throws -> PurchaseClaim? {
        let deletedAt = try purchase.customer.flatMap { try records.customer($0)?.deletedAt }
        let isOwnerDeleted = deletedAt.map { !isReplay || $0 <= date } ?? false
        let decision = decide(customer, attribution, on: purchase, claims: claims, isOwnerDeleted: isOwnerDeleted, at: date)
        if let decision { purchase.apply(decision) }
        return decision
    }
}
