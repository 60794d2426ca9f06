extension Subscription {
    /// Processes the renewal or expiration that is due at ``nextRenewalDate``.
    mutating func processDueChange(hasValidPaymentMethod: Bool, isProductAvailable: Bool) -> [SubscriptionAction] {
        switch state {
        case .active:
            return endPeriod(hasValidPaymentMethod: hasValidPaymentMethod, isProductAvailable: isProductAvailable)
        case .gracePeriod(_, let retryUntil):
            state = .billingRetry(until: retryUntil)
            return [notifyAction(.gracePeriodExpired)]
        case .billingRetry:
            return expire(.billingError)
        case .expired, .revoked:
            return []
        }
    }

    private mutating func endPeriod(hasValidPaymentMethod: Bool, isProductAvailable: Bool) -> [SubscriptionAction] {
        guard autoRenews else { return expire(.customerCancelled) }
        // Price consent concerns the plan that would renew, not a pending plan that replaces it.
        if pendingPlan == nil, priceIncrease?.consent == .pending { return expire(.priceIncreaseNotConsented) }
        guard isProductAvailable else { return expire(.productUnavailable) }
        guard hasValidPaymentMethod else { return failToRenew() }
        guard renew(from: paidUntil) else { return expire(.other) }
        return completeRenewal(.renewed)
    }

    private mutating func failToRenew() -> [SubscriptionAction] {
        let retryUntil = rules.retryEnd(after: paidUntil)
        let gracePeriodExpirationDate = min(rules.graceEnd(after: paidUntil, of: plan.period), retryUntil)
        let hasGrace = rules.billingGracePeriodIsEnabled && !(rules.billingGracePeriodRequiresPaidPeriod && isFree)
        state = hasGrace ? .gracePeriod(until: gracePeriodExpirationDate, retryUntil: retryUntil) : .billingRetry(until: retryUntil)
        return [notifyAction(.failedToRenew(grace: hasGrace))]
    }

    /// Whether the newest period was purchased with a free offer.
    var isFree: Bool {
        guard let offer = period.offer?.offer else { return false }
        return offer.mode == .freeTrial || offer.price.milliunits == 0
    }

    /// Charges the failed renewal: in the billing grace period the billing cycle stays the same, because access never ended; later a new
    /// cycle begins.
    mutating func recover(at now: Timestamp, _ reason: TransactionReason = .renewal) -> [SubscriptionAction] {
        let start: Timestamp
        switch state {
        case .gracePeriod: start = paidUntil
        case .billingRetry: start = max(rules.transactionDate(now), paidUntil)
        case .active, .expired, .revoked: return []
        }
        // A price increase without consent is not charged, and the request for consent stays pending.
        let pendingIncrease = pendingPlan == nil && priceIncrease?.consent == .pending ? priceIncrease : nil
        guard renew(from: start, reason) else { return [] }
        priceIncrease = pendingIncrease
        return completeRenewal(.recovered)
    }

    /// Processes a renewal that a tester forces, which ends the current period now.
    ///
    /// A subscription whose renewal failed stays unchanged, or loses its billing grace period when the renewal fails again.
    mutating func forceRenewal(at now: Timestamp, hasValidPaymentMethod: Bool) -> [SubscriptionAction] {
        if case .gracePeriod = state, !hasValidPaymentMethod {
            return processDueChange(hasValidPaymentMethod: false, isProductAvailable: true)
        }
        guard state == .active else { return [] }
        let ended = period.number
        let start = max(rules.transactionDate(now), period.start)
        guard hasValidPaymentMethod else {
            paidUntil = min(start, paidUntil)
            return [.setExpirationDate(period: ended, to: paidUntil)] + failToRenew()
        }
        if priceIncrease?.consent != .accepted {
            priceIncrease = nil
        }
        guard renew(from: start) else { return [] }
        autoRenews = true
        return [.setExpirationDate(period: ended, to: start)] + completeRenewal(.renewed)
    }

    /// Processes an expiration that a tester forces.
    mutating func forceExpiry(at now: Timestamp) -> [SubscriptionAction] {
        switch state {
        case .active:
            autoRenews = false
            paidUntil = min(max(rules.transactionDate(now), period.start), paidUntil)
            return [.setExpirationDate(period: period.number, to: paidUntil)] + expire(.customerCancelled)
        case .gracePeriod, .billingRetry:
            autoRenews = false
            return expire(.customerCancelled)
        case .expired, .revoked:
            return []
        }
    }

    /// Counts a renewal, and disables further renewals at the sandbox's limit.
    private mutating func completeRenewal(_ notice: SubscriptionNotice) -> [SubscriptionAction] {
        renewals = renewals.addingReportingOverflow(1).partialValue
        let actions = [SubscriptionAction.charge(period), notifyAction(notice)]
        guard autoRenews, isAtRenewalLimit else { return actions }
        autoRenews = false
        return actions + [notifyAction(.autoRenewChanged(false))]
    }

    var isAtRenewalLimit: Bool {
        rules.renewalLimit.map { renewals >= $0 } ?? false
    }
}
