extension Subscription {
    /// Processes the renewal, the expiration or the end of the billing grace period that is due at ``nextRenewalDate``.
    mutating func processDueChange(at now: Timestamp, hasValidPaymentMethod: Bool, isProductAvailable: Bool) -> [SubscriptionAction] {
        switch state {
        case .active where isRevokedAtStart:
            state = .revoked
            return []
        case .active where now < paidUntil:
            // The event has an effect even if no renewal is charged: the next due event is at the end of the period.
            handledUntil = max(handledUntil, now)
            return chargeAhead(at: now, hasValidPaymentMethod: hasValidPaymentMethod, isProductAvailable: isProductAvailable)
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
        guard autoRenews || isCommitted else { return expire(.customerCancelled) }
        if unbundling == .expires { return expire(.unbundled) }
        if isConsentMissing { return expire(.priceIncreaseNotConsented) }
        guard isProductAvailable || isCommitted else { return expire(.productUnavailable) }
        guard hasValidPaymentMethod else { return failToRenew() }
        guard renew(from: paidUntil) else { return expire(.other) }
        return completeRenewal(.renewed)
    }

    /// Whether the customer has not consented to a price increase of the plan that would renew; a pending plan replaces that plan.
    var isConsentMissing: Bool {
        pendingPlan == nil && priceIncrease?.consent == .pending && !isCommitted
    }

    /// Whether further charges of the commitment follow the newest period, even if the customer has canceled.
    public var isCommitted: Bool { !isRevokedAtStart && (period.commitment?.isFollowed ?? false) }

    private mutating func failToRenew() -> [SubscriptionAction] {
        // The billing grace period does not apply to commitments, whose charges the App Store retries for longer.
        let hasCommitment = period.plan.commitment != nil
        let retryUntil = rules.retryEnd(after: paidUntil, ofCommitment: hasCommitment)
        let gracePeriodExpirationDate = min(rules.graceEnd(after: paidUntil, of: plan.period), retryUntil)
        let hasGrace = rules.billingGracePeriodIsEnabled && !hasCommitment && !(rules.billingGracePeriodRequiresPaidPeriod && isFree)
        state = hasGrace ? .gracePeriod(until: gracePeriodExpirationDate, retryUntil: retryUntil) : .billingRetry(until: retryUntil)
        return [notifyAction(.failedToRenew(grace: hasGrace))]
    }

    /// Whether the newest subscription period is free because of an offer.
    var isFree: Bool {
        guard let offer = period.offer?.offer else { return false }
        return offer.mode == .freeTrial || offer.price.milliunits == 0
    }

    /// Charges a failed renewal after the account has resolved its billing issue.
    ///
    /// In the billing grace period, the new period begins at the end of the previous period, because access never ended. In the billing
    /// retry period, the new period begins now.
    mutating func recover(at now: Timestamp, _ reason: TransactionReason = .renewal) -> [SubscriptionAction] {
        let start: Timestamp
        switch state {
        case .gracePeriod: start = paidUntil
        case .billingRetry: start = max(rules.transactionDate(now), paidUntil)
        case .active, .expired, .revoked: return []
        }
        guard unbundling != .expires else { return expire(.unbundled) }
        // A price increase without the customer's consent is not charged, and the request for consent stays pending.
        let pendingIncrease = isConsentMissing ? priceIncrease : nil
        guard renew(from: start, reason) else { return [] }
        if let pendingIncrease { priceIncrease = pendingIncrease }
        return completeRenewal(.recovered)
    }

    /// Processes a renewal that a tester forces, which ends the current period now.
    ///
    /// Without a valid payment method, the forced renewal fails, and a subscription in the billing grace period enters the billing retry
    /// period. In all other cases, a subscription whose renewal failed stays unchanged. A renewal that was charged ahead can't be forced.
    mutating func forceRenewal(at now: Timestamp, hasValidPaymentMethod: Bool) -> [SubscriptionAction] {
        if case .gracePeriod = state, !hasValidPaymentMethod {
            return processDueChange(at: now, hasValidPaymentMethod: false, isProductAvailable: true)
        }
        guard state == .active, !isChargedAhead(at: now) else { return [] }
        let ended = period.number
        let start = max(rules.transactionDate(now), period.start)
        // A subscription that expires with its bundle has no next period.
        guard unbundling != .expires else {
            paidUntil = min(start, paidUntil)
            return [.setExpirationDate(period: ended, to: paidUntil)] + expire(.unbundled)
        }
        guard hasValidPaymentMethod else {
            paidUntil = min(start, paidUntil)
            return [.setExpirationDate(period: ended, to: paidUntil)] + failToRenew()
        }
        let wasCommitted = isCommitted
        if !wasCommitted, priceIncrease?.consent != .accepted {
            priceIncrease = nil
        }
        guard renew(from: start) else { return [] }
        if !wasCommitted { autoRenews = true }
        return [.setExpirationDate(period: ended, to: start)] + completeRenewal(.renewed)
    }

    /// Processes an expiration that a tester forces, which ends the subscription now.
    mutating func forceExpiry(at now: Timestamp) -> [SubscriptionAction] {
        switch state {
        case .active where isChargedAhead(at: now):
            return expireBeforeStart(at: now)
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

    /// Expires a subscription whose newest period has not begun: the running period ends now, and the newest one when it begins.
    private mutating func expireBeforeStart(at now: Timestamp) -> [SubscriptionAction] {
        autoRenews = false
        paidUntil = rules.transactionDate(now)
        let end = runningPeriod(at: now).map { SubscriptionAction.setExpirationDate(period: $0, to: paidUntil) }
        let actions = [end].compactMap { $0 } + [.setExpirationDate(period: period.number, to: period.start)]
        guard !isRevokedAtStart else {
            state = .revoked
            return actions
        }
        return actions + expire(.customerCancelled)
    }

    /// Returns the number of the period before the newest one, if the newest one was charged ahead and has not begun.
    ///
    /// The result is nil if the subscription has no earlier period.
    func runningPeriod(at now: Timestamp) -> Int? {
        isChargedAhead(at: now) && period.number > 1 ? period.number - 1 : nil
    }

    /// Counts a renewal, and disables auto-renew when the subscription has reached the limit of renewals in its rules.
    mutating func completeRenewal(_ notice: SubscriptionNotice) -> [SubscriptionAction] {
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
