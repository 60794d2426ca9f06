import PurchaseModel
import PurchaseStorage
import ServerProtocol

extension CustomerChanges {
    /// Returns the events of changed purchases.
    ///
    /// - Parameters:
    ///   - now: The current date, which is the date of a change that no signed data states.
    func purchaseDrafts(at now: Timestamp) -> [FeedEventDraft] {
        order.flatMap { id in purchases[id].map { drafts(of: $0, at: now) } ?? [] }
    }

    private func drafts(of change: Purchase, at now: Timestamp) -> [FeedEventDraft] {
        guard change.isWritten || !change.signed.isEmpty, let after = change.record.after else {
            return refundDrafts(of: change, nil, at: now)
        }
        var drafts: [FeedEventDraft] = []
        let before = change.record.before
        let newest = newest(of: after.originalTransactionID)
        func add(_ type: FeedEventType, happenedAt: Timestamp?) {
            drafts.append(draft(type, before, after, happenedAt: happenedAt ?? now))
        }
        guard let before else {
            add(.purchaseRecorded, happenedAt: after.entitlement.purchaseDate)
            return drafts + refundDrafts(of: change, after, at: now)
        }
        if before.customer != after.customer {
            add(before.customer == nil ? .purchaseAttributed : .purchaseTransferred, happenedAt: nil)
        }
        if before.sharedWith != after.sharedWith { add(.purchaseSharingChanged, happenedAt: nil) }
        for type in Self.subscriptionTypes(from: before.entitlement, to: after.entitlement) {
            let isPaid = type == .subscriptionRenewed || type == .subscriptionRecovered
            add(type, happenedAt: isPaid ? after.entitlement.purchaseDate : newest?.signedDate)
        }
        return drafts + refundDrafts(of: change, after, at: now) + renewalDrafts(of: change, after) + seatDrafts(of: change, after)
    }

    private func draft(
        _ type: FeedEventType, _ before: PurchaseRecord?, _ after: PurchaseRecord, happenedAt: Timestamp
    ) -> FeedEventDraft {
        let id = after.originalTransactionID
        return FeedEventDraft(
            type: type, customer: after.customer, environment: after.entitlement.environment, happenedAt: happenedAt,
            signedAt: newest(of: id)?.signedDate, originals: originals(of: id), before: before.map { .purchase(FeedState.Purchase($0)) },
            after: .purchase(FeedState.Purchase(after)))
    }

    // MARK: Subscriptions

    /// Returns the types of the events between two states of a subscription.
    static func subscriptionTypes(from before: Entitlement, to after: Entitlement) -> [FeedEventType] {
        guard after.productType == .autoRenewable, before != after else { return [] }
        var types: [FeedEventType] = []
        let isLater = after.purchaseDate > before.purchaseDate && after.transactionID != before.transactionID
        if after.productID != before.productID {
            types.append(.subscriptionProductChanged)
        } else if isLater, after.isPaid {
            types.append(before.hasBillingIssue ? .subscriptionRecovered : .subscriptionRenewed)
        }
        if after.hasBillingIssue, !before.hasBillingIssue { types.append(.subscriptionBillingIssue) }
        if after.isInGracePeriod, !before.isInGracePeriod { types.append(.subscriptionGracePeriodStarted) }
        // The end of a subscription and a product change determine the next renewal, too, and have their own events.
        guard after.productID == before.productID, after.renewsTo != before.renewsTo, after.isPaid || after.isInGracePeriod,
            before.isPaid || before.isInGracePeriod
        else { return types }
        let isScheduled = after.renewsTo != nil && before.renewsTo != nil
        types.append(isScheduled ? .subscriptionProductChangeScheduled : .subscriptionAutoRenewChanged)
        return types
    }

    private func renewalDrafts(of change: Purchase, _ after: PurchaseRecord) -> [FeedEventDraft] {
        change.signed.compactMap { signed in
            guard let renewal = signed.event.renewal, let status = renewal.priceIncreaseStatus,
                signed.renewal.map({ $0.signedDate < renewal.signedDate && $0.priceIncreaseStatus != status }) ?? true
            else { return nil }
            var draft = draft(.subscriptionPriceIncrease, after, after, happenedAt: renewal.signedDate)
            let old = signed.renewal.flatMap { renewal in renewal.priceIncreaseStatus.map { FeedState.Purchase.PriceIncrease(renewal, $0) }
            }
            draft.before = .purchase(FeedState.Purchase(after, priceIncrease: old))
            draft.after = .purchase(FeedState.Purchase(after, priceIncrease: FeedState.Purchase.PriceIncrease(renewal, status)))
            return draft
        }
    }

    private func seatDrafts(of change: Purchase, _ after: PurchaseRecord) -> [FeedEventDraft] {
        change.signed.compactMap { signed in
            let transaction = signed.event.transaction
            guard transaction.multiSeatInfo != nil, signed.stored.map({ $0.signedDate < signed.event.signedDate }) ?? true else {
                return nil
            }
            let (old, new) = (signed.stored?.transaction.seats, transaction.seats)
            // A renewal with the same product states its seats in its own event.
            guard old != new, signed.stored != nil || transaction.additionalTransactionReason != nil else { return nil }
            var draft = draft(.subscriptionSeatsChanged, after, after, happenedAt: signed.event.signedDate)
            draft.before = .purchase(FeedState.Purchase(after, seats: old))
            draft.after = .purchase(FeedState.Purchase(after, seats: new))
            return draft
        }
    }

    // MARK: Refunds

    /// Returns the events of refunds, revocations and their reversals, which signed transactions state.
    ///
    /// A transaction that was unknown before states a refund of a new purchase, or of a purchase whose state changes to revoked. Another
    /// unknown transaction can be the copy of a refunded transaction that a restore created.
    private func refundDrafts(of change: Purchase, _ after: PurchaseRecord?, at now: Timestamp) -> [FeedEventDraft] {
        change.signed.compactMap { signed in
            let transaction = signed.event.transaction
            let stored = signed.stored?.transaction
            guard let after = after ?? change.record.before ?? signed.record,
                stored.map({ $0.signedDate < transaction.signedDate }) ?? true,
                stored?.isRevoked ?? false != transaction.isRevoked || stored?.revokedPercentage ?? 0 != transaction.revokedPercentage,
                transaction.reasonOfRevocation != .upgradedToBundle, stored?.reasonOfRevocation != .upgradedToBundle
            else { return nil }
            let becameRevoked = after.entitlement.state == .revoked && change.record.before?.entitlement.state != .revoked
            guard stored != nil || becameRevoked else { return nil }
            let isRefund = transaction.ownership == .purchased || transaction.ownership == nil
            let type: FeedEventType =
                !transaction.isRevoked ? .purchaseRefundReversed : isRefund ? .purchaseRefunded : .purchaseRevoked
            let date = transaction.isRevoked ? transaction.revocationDate : transaction.signedDate
            var draft = draft(type, change.record.before ?? after, after, happenedAt: date ?? now)
            draft.before = .purchase(
                FeedState.Purchase(change.record.before ?? after, revocation: stored.flatMap { FeedState.Purchase.Revocation($0) }))
            draft.after = .purchase(FeedState.Purchase(after, revocation: FeedState.Purchase.Revocation(transaction)))
            return draft
        }
    }
}

extension CustomerChanges.Signed {
    /// The purchase according to the event alone.
    fileprivate var record: PurchaseRecord? { PurchaseRecord(timeline: EntitlementTimeline(first: event)) }
}

extension Entitlement {
    fileprivate var isPaid: Bool {
        switch state {
        case .active, .owned: true
        case .gracePeriod, .billingRetry, .expired, .revoked: false
        }
    }

    fileprivate var isInGracePeriod: Bool { if case .gracePeriod = state { true } else { false } }

    fileprivate var hasBillingIssue: Bool { isInGracePeriod || state == .billingRetry }
}

extension TransactionPayload {
    /// The seats of the transaction without the refunded ones; nil for a transaction without seats.
    fileprivate var seats: Int? {
        guard let multiSeatInfo else { return nil }
        let (rest, overflow) = quantity.subtractingReportingOverflow(multiSeatInfo.revokedSeatQuantity ?? 0)
        return overflow ? 0 : max(0, rest)
    }
}

extension FeedState.Purchase {
    /// Creates the state of a recorded purchase.
    init(_ record: PurchaseRecord, revocation: Revocation? = nil, priceIncrease: PriceIncrease? = nil, seats: Int? = nil) {
        self.init(
            record.entitlement, customer: record.customer, sharedWith: record.sharedWith, revocation: revocation,
            priceIncrease: priceIncrease, seats: seats)
    }
}

extension FeedState.Purchase.Revocation {
    /// Creates the revocation that a transaction states; nil for a transaction that is not revoked.
    fileprivate init?(_ transaction: TransactionPayload) {
        guard let date = transaction.revocationDate else { return nil }
        self.init(
            transactionID: transaction.transactionId, productID: transaction.productId, date: date,
            percentage: transaction.revokedPercentage, reason: transaction.revocationReason)
    }
}

extension FeedState.Purchase.PriceIncrease {
    /// Creates the price increase that renewal info states.
    fileprivate init(_ renewal: RenewalInfoPayload, _ status: Int) {
        self.init(status: status, renewalPrice: renewal.renewalPrice, currency: renewal.currency)
    }
}
