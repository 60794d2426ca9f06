extension Subscription {
    /// Processes an event and returns the actions that the event requires, in order.
    ///
    /// An event without effect returns no actions.
    ///
    /// A due renewal or expiration must be processed before any other event; until then, every other event returns
    /// ``SubscriptionAction/overdue(since:)``. The owner sends ``SubscriptionEvent/due(hasValidPaymentMethod:isProductAvailable:)``
    /// repeatedly, until ``nextRenewalDate`` is later than `time`. Each of these events takes effect at its due time, however late the
    /// owner sends it.
    ///
    /// Every other event takes effect at `time`, or at the time of the latest processed event when `time` is earlier.
    ///
    /// After ``SubscriptionEvent/sharingEnded``, no event has an effect on a Family Sharing entitlement.
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
            processDueChange(hasValidPaymentMethod: hasValidPaymentMethod, isProductAvailable: isProductAvailable)
        case .billingIssueResolved: recover(at: now)
        case .autoRenew(let isEnabled): setAutoRenew(isEnabled)
        case .purchase(let purchase): processPurchase(purchase, at: now)
        case .priceChanged(let productID, let price, let requiresConsent):
            changePrice(of: productID, to: price, requiresConsent: requiresConsent)
        case .priceConsent(let consented): applyConsent(consented)
        case .refunded(let number, let prorated): refund(number, prorated: prorated, at: now)
        case .refundReversed(let number): reverseRefund(number, at: now)
        case .sharingEnded: endSharing()
        case .extended(let days): extend(days: days, at: now)
        case .renewalForced(let hasValidPaymentMethod): forceRenewal(at: now, hasValidPaymentMethod: hasValidPaymentMethod)
        case .expiryForced: forceExpiry(at: now)
        }
    }

    /// The action that sends a notice about the newest period.
    func notifyAction(_ notice: SubscriptionNotice) -> SubscriptionAction {
        .notify(notice, period: period.number)
    }

    /// Expires the subscription.
    mutating func expire(_ intent: ExpirationIntent) -> [SubscriptionAction] {
        state = .expired(intent)
        return [notifyAction(.expired(intent))]
    }
}
