extension Subscription {
    /// Creates a subscription that continues an imported transaction history.
    ///
    /// Without renewal info, a subscription that was active at its latest signature date has auto-renew enabled, and a subscription that
    /// had expired counts as canceled by the customer.
    public init(continuing history: SubscriptionHistory, rules: SubscriptionRules = SubscriptionRules()) {
        let info = history.renewalInfo
        originalTransactionID = history.originalTransactionID
        ownership = .purchased
        self.rules = rules
        appAccountToken = info?.appAccountToken
        appTransactionID = info?.appTransactionId
        period = SubscriptionPeriod(
            number: max(history.periods, 1), plan: history.plan,
            offer: history.offer.map { AppliedOffer($0, number: max(history.offerPeriod, 1)) },
            price: history.price, reason: history.reason, start: history.start, end: history.end, commitment: history.commitment,
            bundle: history.bundle
        )
        paidUntil = history.end
        plan = history.plan
        pendingPlan = history.pendingPlan
        recentSubscriptionStartDate = info?.recentSubscriptionStartDate ?? history.firstStart
        hasUsedIntroductoryOffer = history.hasUsedIntroductoryOffer
        seats = history.seats
        // A subscription that renews leaves its bundle alone; one that does not renew expires with it.
        let leaves = history.bundle != nil && info?.isPendingUnbundle == true
        unbundling = leaves ? (info?.autoRenewStatus == 1 ? .renewsAlone : .expires) : nil
        renewals = 0
        // Renewals continue on the day of the first period if the newest period starts on the last day of a shorter month.
        let firstDay = history.firstStart.dayOfMonth
        let isShortened = history.reason == .renewal && history.start.adding(days: 1).dayOfMonth == 1
        billingDay = isShortened && firstDay > history.start.dayOfMonth ? firstDay : nil
        // The newest period begins after the signature date if the App Store charged it ahead.
        let earliest = history.start.adding(seconds: -SubscriptionRules.maximumChargeAhead)
        handledUntil = min(max(history.signedDate, earliest), history.start)
        let wasActive = history.signedDate < history.end
        // Within a commitment, its own status states whether the customer canceled.
        let status = history.commitment == nil ? info?.autoRenewStatus : info?.commitmentInfo?.commitmentAutoRenewStatus
        let autoRenewed = (status ?? info?.autoRenewStatus).map { $0 == 1 } ?? wasActive
        let stateBefore = Self.stateWithoutRevocation(history, rules, wasActive: wasActive)
        autoRenews = !history.isRevoked && autoRenewed
        state = history.isRevoked ? .revoked : stateBefore
        if case .expired = state { autoRenews = false }
        // The reversal of the refund restores this state.
        if history.isRevoked { stateBeforeRevocation = StateBeforeRevocation(state: stateBefore, autoRenews: autoRenewed) }
    }

    private static func stateWithoutRevocation(_ history: SubscriptionHistory, _ rules: SubscriptionRules, wasActive: Bool) -> State {
        if let intent = history.renewalInfo?.expirationIntent, history.renewalInfo?.isInBillingRetryPeriod != true {
            return .expired(ExpirationIntent(rawValue: intent) ?? .other)
        }
        if history.renewalInfo?.isInBillingRetryPeriod == true {
            let until = rules.retryEnd(after: history.end, ofCommitment: history.commitment != nil)
            guard let grace = history.renewalInfo?.gracePeriodExpiresDate, grace > history.signedDate else {
                return .billingRetry(until: until)
            }
            return .gracePeriod(until: grace, retryUntil: max(until, grace))
        }
        return wasActive || history.renewalInfo?.autoRenewStatus == 1 ? .active : .expired(.customerCancelled)
    }
}
