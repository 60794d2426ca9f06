extension Subscription {
    /// Creates a subscription that continues an imported history.
    ///
    /// Without renewal info, a subscription that was active at its latest signed date counts as renewing, and an expired one as canceled
    /// by the customer.
    public init(continuing past: SubscriptionHistory, rules: SubscriptionRules = SubscriptionRules()) {
        let info = past.renewalInfo
        originalTransactionID = past.originalTransactionID
        ownership = .purchased
        self.rules = rules
        appAccountToken = info?.appAccountToken
        appTransactionID = info?.appTransactionId
        period = SubscriptionPeriod(
            number: max(past.periods, 1), plan: past.plan, offer: past.offer.map { OfferUse($0, number: max(past.offerPeriod, 1)) },
            price: past.price, reason: past.reason, start: past.start, end: past.end
        )
        paidUntil = past.end
        plan = past.plan
        pendingPlan = past.pendingPlan
        recentStart = info?.recentSubscriptionStartDate ?? past.firstStart
        hasUsedIntroductoryOffer = past.hasUsedIntroductoryOffer
        renewals = 0
        handledUntil = past.start
        let ran = past.statedAt < past.end
        autoRenews = !past.isRevoked && (info?.autoRenewStatus.map { $0 == 1 } ?? ran)
        state = Self.state(past, rules, ran: ran)
        if case .expired = state { autoRenews = false }
    }

    private static func state(_ past: SubscriptionHistory, _ rules: SubscriptionRules, ran: Bool) -> State {
        guard !past.isRevoked else { return .revoked }
        if let intent = past.renewalInfo?.expirationIntent, past.renewalInfo?.isInBillingRetryPeriod != true {
            return .expired(ExpirationIntent(rawValue: intent) ?? .other)
        }
        if past.renewalInfo?.isInBillingRetryPeriod == true {
            let until = rules.retryEnd(after: past.end)
            guard let grace = past.renewalInfo?.gracePeriodExpiresDate, grace > past.statedAt else { return .billingRetry(until: until) }
            return .gracePeriod(until: grace, retryUntil: max(until, grace))
        }
        return ran || past.renewalInfo?.autoRenewStatus == 1 ? .active : .expired(.customerCancelled)
    }
}
