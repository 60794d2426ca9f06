import PurchaseModel
import PurchaseStorage
import ServerProtocol

extension CustomerChanges {
    /// Returns the events of all changed records: purchases, postings, grants, seats, merges and notifications.
    ///
    /// - Parameter now: The current date.
    func drafts(at now: Timestamp) -> [FeedEventDraft] {
        notificationDrafts + mergeDrafts(at: now) + purchaseDrafts(at: now) + ledgerDrafts + grantDrafts(at: now) + seatDrafts(at: now)
    }

    private var notificationDrafts: [FeedEventDraft] {
        unknownNotifications.map { notification in
            FeedEventDraft(
                type: .notificationNotUnderstood, happenedAt: notification.signedDate, signedAt: notification.signedDate,
                originals: FeedEvent.Originals(notification: notification.uuid),
                after: .notification(FeedState.Notification(notificationUUID: notification.uuid, kind: notification.kind)))
        }
    }

    private func mergeDrafts(at now: Timestamp) -> [FeedEventDraft] {
        merges.map { merge in
            FeedEventDraft(
                type: merge.after == nil ? .customerMergeUndone : .customerMerged, customer: merge.customer, happenedAt: now,
                originals: originals(of: nil),
                before: .customer(FeedState.Customer(customer: merge.customer, mergedInto: merge.before)),
                after: .customer(FeedState.Customer(customer: merge.customer, mergedInto: merge.after)))
        }
    }

    private var ledgerDrafts: [FeedEventDraft] {
        postings.flatMap { posting -> [FeedEventDraft] in
            let (amount, balance) = (posting.amount, posting.balance)
            // Wrap around, because a damaged balance must not stop the server.
            let before = balance &- amount
            guard amount != 0 else { return [] }
            let stated = FeedState.Balance.Posting(
                kind: posting.kind.rawValue, key: posting.key, amount: amount, number: posting.number)
            let draft = FeedEventDraft(
                type: amount > 0 ? .ledgerCredited : .ledgerDebited, customer: posting.customer, happenedAt: posting.date,
                originals: originals(of: posting.purchase), before: .balance(FeedState.Balance(currency: posting.currency, amount: before)),
                after: .balance(FeedState.Balance(currency: posting.currency, amount: balance, posting: stated)))
            guard balance < 0, before >= 0 else { return [draft] }
            var debt = draft
            debt.type = .ledgerInDebt
            return [draft, debt]
        }
    }

    private func grantDrafts(at now: Timestamp) -> [FeedEventDraft] {
        // A merge moves a grant, and states the move with its own event.
        let isMoved = !merges.isEmpty
        return isMoved ? [] : grants.compactMap { Self.draft(of: $0, originals(of: nil), at: now) }
    }

    private static func draft(
        of change: RecordChange<EntitlementGrant>, _ originals: FeedEvent.Originals, at now: Timestamp
    ) -> FeedEventDraft? {
        guard let grant = change.after ?? change.before else { return nil }
        let wasActive = change.before.map { $0.isActive(at: now) } ?? false
        let isActive = change.after.map { $0.isActive(at: now) } ?? false
        guard wasActive != isActive else { return nil }
        return FeedEventDraft(
            type: isActive ? .grantCreated : .grantEnded, customer: grant.customer, happenedAt: now,
            reason: isActive ? nil : change.after == nil ? "deleted" : "revoked", originals: originals,
            before: change.before.map { .grant(FeedState.Grant($0)) }, after: change.after.map { .grant(FeedState.Grant($0)) })
    }

    private func seatDrafts(at now: Timestamp) -> [FeedEventDraft] {
        merges.isEmpty ? seats.compactMap { Self.draft(of: $0, originals(of: nil), at: now) } : []
    }

    private static func draft(
        of change: RecordChange<SeatClaim>, _ originals: FeedEvent.Originals, at now: Timestamp
    ) -> FeedEventDraft? {
        guard let claim = change.after ?? change.before else { return nil }
        let (wasClaimed, isClaimed) = (change.before?.hasSeat ?? false, change.after?.hasSeat ?? false)
        guard wasClaimed != isClaimed else { return nil }
        return FeedEventDraft(
            type: isClaimed ? .seatClaimed : .seatEnded, customer: claim.customer,
            happenedAt: (isClaimed ? claim.claimedAt : claim.endedAt) ?? now,
            reason: isClaimed ? nil : claim.endReason?.rawValue ?? "deleted", originals: originals,
            before: change.before.map { .seat(FeedState.Seat($0)) }, after: change.after.map { .seat(FeedState.Seat($0)) })
    }
}

extension LedgerPosting {
    /// The purchase whose charge the posting concerns; nil for a posting without a purchase.
    fileprivate var purchase: TransactionID? {
        switch kind {
        case .purchase, .refund, .refundReversal: key.split(separator: " ").first.map { TransactionID(String($0)) }
        case .grant, .debit, .merge, .mergeReversal, .unfreeze: nil
        }
    }
}

extension SeatClaim {
    /// Whether the member has the seat.
    fileprivate var hasSeat: Bool { claimedAt != nil && endedAt == nil }
}

extension FeedState.Seat {
    /// Creates the state of a claim.
    fileprivate init(_ claim: SeatClaim) {
        self.init(
            team: claim.team, requestIdentifier: claim.requestIdentifier, claimedAt: claim.claimedAt, endedAt: claim.endedAt)
    }
}

extension FeedState.Grant {
    /// Creates the state of a grant.
    init(_ grant: EntitlementGrant) {
        self.init(entitlement: grant.entitlement, grantedAt: grant.grantedAt, until: grant.until, revokedAt: grant.revokedAt)
    }
}
