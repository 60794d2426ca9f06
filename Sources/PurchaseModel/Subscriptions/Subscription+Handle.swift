extension Subscription {
    /// Processes an event and returns the actions that the event requires, in order.
    ///
    /// The function returns no actions when the event has no effect.
    ///
    /// A renewal or expiration that is due at `time` must be processed before any other event: while it is due, any other event has no
    /// effect and returns ``SubscriptionAction/overdue(since:)``. The caller sends
    /// ``SubscriptionEvent/due(hasValidPaymentMethod:isProductAvailable:)`` repeatedly, until ``nextRenewalDate`` is later than `time`. A
    /// renewal or expiration takes effect at its due date, even if the caller sends the event later.
    ///
    /// Any other event takes effect at `time`, or at the time of the latest processed event when `time` is earlier.
    ///
    /// After ``SubscriptionEvent/sharingEnded``, no event has an effect on the entitlement of a family member or of a group's member.
    public mutating func handle(_ event: SubscriptionEvent, at time: Timestamp) -> [SubscriptionAction] {
        guard !hasSharingEnded else { return [] }
        let before = self
        let now: Timestamp
        if case .due = event {
            guard let due = nextRenewalDate, due <= time else { return [] }
            now = due
        } else {
            now = max(time, handledUntil)
            if let due = nextRenewalDate, due <= now { return [.overdue(since: due)] }
        }
        let actions = apply(event, at: now)
        if self != before {
            handledUntil = max(handledUntil, now)
        }
        return actions
    }

    private mutating func apply(_ event: SubscriptionEvent, at now: Timestamp) -> [SubscriptionAction] {
        switch event {
        case .due(let hasValidPaymentMethod, let isProductAvailable):
            processDueChange(at: now, hasValidPaymentMethod: hasValidPaymentMethod, isProductAvailable: isProductAvailable)
        case .billingIssueResolved: recover(at: now)
        case .autoRenew(let isEnabled): setAutoRenew(isEnabled)
        case .purchase(let purchase): processPurchase(purchase, at: now)
        case .priceChanged(let productID, let price, let requiresConsent):
            changePrice(of: productID, to: price, requiresConsent: requiresConsent)
        case .priceConsent(let consented): applyConsent(consented)
        case .refunded(let number, let percentage): refund(number, percentage: percentage, at: now)
        case .seatsAtRenewal(let count): setSeatsAtRenewal(count)
        case .seatsRefunded(let count): refundSeats(count, at: now)
        case .seatRefundReversed(let count): reverseRefundOfSeats(count, at: now)
        case .refundReversed(let number): reverseRefund(number, at: now)
        case .bundled(let bundle): move(to: bundle, at: now)
        case .unbundled(let unbundling): setUnbundling(unbundling)
        case .sharingEnded: endSharing(at: now)
        case .extended(let days): extend(days: days, at: now)
        case .renewalForced(let hasValidPaymentMethod): forceRenewal(at: now, hasValidPaymentMethod: hasValidPaymentMethod)
        case .renewalChargedAhead(let hasValidPaymentMethod): chargeAhead(at: now, hasValidPaymentMethod: hasValidPaymentMethod)
        case .expiryForced: forceExpiry(at: now)
        }
    }

    /// Returns the action that notifies the developer's server about the newest subscription period.
    func notifyAction(_ notice: SubscriptionNotice) -> SubscriptionAction {
        .notify(notice, period: period.number)
    }

    /// Expires the subscription for a reason, and returns the action that notifies the developer's server.
    mutating func expire(_ intent: ExpirationIntent) -> [SubscriptionAction] {
        state = .expired(intent)
        return [notifyAction(.expired(intent))]
    }
}
