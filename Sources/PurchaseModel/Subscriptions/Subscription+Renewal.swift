extension Subscription {
    /// What happens by itself at ``nextDue``.
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
        // It speaks of the plan that would renew, not of one that another takes the place of.
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

    /// Whether the newest period was bought with an offer that costs nothing.
    var isFree: Bool {
        guard let offer = period.offer?.offer else { return false }
        return offer.mode == .freeTrial || offer.price.milliunits == 0
    }

    /// Charges what is owed: in grace the customer never lost access, so the cycle stays where it was; later a new one begins.
    mutating func recover(at now: Timestamp, _ reason: TransactionReason = .renewal) -> [SubscriptionAction] {
        let start: Timestamp
        switch state {
        case .gracePeriod: start = paidUntil
        case .billingRetry: start = max(rules.moment(now), paidUntil)
        case .active, .expired, .revoked: return []
        }
        // A price that the customer has not agreed to is not charged; the question stays.
        let question = pendingPlan == nil && priceIncrease?.answer == .pending ? priceIncrease : nil
        guard renew(from: start, reason) else { return [] }
        priceIncrease = question
        return announceRenewal(.recovered)
    }

    /// A tester's renewal, which ends the period now; a subscription whose renewal failed stays as it is, or loses its grace when it
    /// fails once more.
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

    /// A tester's end.
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

    /// Counts a renewal, and stops at the sandbox's limit.
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
