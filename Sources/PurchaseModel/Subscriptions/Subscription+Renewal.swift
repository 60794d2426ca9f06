extension Subscription {
    /// Processes the renewal or expiration that is due at ``nextDue``.
    mutating func fallDue(cardWorks: Bool, forSale: Bool) -> [SubscriptionAction] {
        switch state {
        case .active:
            return endPeriod(cardWorks: cardWorks, forSale: forSale)
        case .gracePeriod(_, let retryUntil):
            state = .billingRetry(until: retryUntil)
            return [tell(.gracePeriodExpired)]
        case .billingRetry:
            return expire(.billingError)
        case .expired, .revoked:
            return []
        }
    }

    private mutating func endPeriod(cardWorks: Bool, forSale: Bool) -> [SubscriptionAction] {
        guard autoRenews else { return expire(.customerCancelled) }
        // Price consent concerns the plan that would renew, not a pending plan that replaces it.
        if pendingPlan == nil, priceIncrease?.answer == .pending { return expire(.priceIncreaseNotConsented) }
        guard forSale else { return expire(.productUnavailable) }
        guard cardWorks else { return failToRenew() }
        guard renew(from: paidUntil) else { return expire(.other) }
        return announceRenewal(.renewed)
    }

    private mutating func failToRenew() -> [SubscriptionAction] {
        let retryUntil = rules.retryEnd(after: paidUntil)
        let graceUntil = min(rules.graceEnd(after: paidUntil, of: plan.period), retryUntil)
        let hasGrace = rules.grantsGrace && !(rules.graceNeedsPayment && isFree)
        state = hasGrace ? .gracePeriod(until: graceUntil, retryUntil: retryUntil) : .billingRetry(until: retryUntil)
        return [tell(.failedToRenew(grace: hasGrace))]
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
        case .billingRetry: start = max(rules.moment(now), paidUntil)
        case .active, .expired, .revoked: return []
        }
        // A price increase without consent is not charged, and the request for consent stays pending.
        let question = pendingPlan == nil && priceIncrease?.answer == .pending ? priceIncrease : nil
        guard renew(from: start, reason) else { return [] }
        priceIncrease = question
        return announceRenewal(.recovered)
    }

    /// Processes a renewal that a tester forces, which ends the current period now.
    ///
    /// A subscription whose renewal failed stays unchanged, or loses its billing grace period when the renewal fails again.
    mutating func forceRenewal(at now: Timestamp, cardWorks: Bool) -> [SubscriptionAction] {
        if case .gracePeriod = state, !cardWorks { return fallDue(cardWorks: false, forSale: true) }
        guard state == .active else { return [] }
        let ended = period.number
        let start = max(rules.moment(now), period.start)
        guard cardWorks else {
            paidUntil = min(start, paidUntil)
            return [.moveEnd(period: ended, to: paidUntil)] + failToRenew()
        }
        if priceIncrease?.answer != .accepted {
            priceIncrease = nil
        }
        guard renew(from: start) else { return [] }
        autoRenews = true
        return [.moveEnd(period: ended, to: start)] + announceRenewal(.renewed)
    }

    /// Processes an expiration that a tester forces.
    mutating func forceExpiry(at now: Timestamp) -> [SubscriptionAction] {
        switch state {
        case .active:
            autoRenews = false
            paidUntil = min(max(rules.moment(now), period.start), paidUntil)
            return [.moveEnd(period: period.number, to: paidUntil)] + expire(.customerCancelled)
        case .gracePeriod, .billingRetry:
            autoRenews = false
            return expire(.customerCancelled)
        case .expired, .revoked:
            return []
        }
    }

    /// Counts a renewal, and disables further renewals at the sandbox's limit.
    private mutating func announceRenewal(_ notice: SubscriptionNotice) -> [SubscriptionAction] {
        renewals = renewals.addingReportingOverflow(1).partialValue
        let actions = [SubscriptionAction.charge(period), tell(notice)]
        guard autoRenews, isAtRenewalLimit else { return actions }
        autoRenews = false
        return actions + [tell(.autoRenewChanged(false))]
    }

    var isAtRenewalLimit: Bool {
        rules.renewalLimit.map { renewals >= $0 } ?? false
    }
}
