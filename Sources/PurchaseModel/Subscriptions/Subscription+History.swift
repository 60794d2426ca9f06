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
            price: history.price, reason: history.reason, start: history.start, end: history.end
        )
        paidUntil = history.end
        plan = history.plan
        pendingPlan = history.pendingPlan
        recentSubscriptionStartDate = info?.recentSubscriptionStartDate ?? history.firstStart
        hasUsedIntroductoryOffer = history.hasUsedIntroductoryOffer
        renewals = 0
        handledUntil = history.start
        let wasActive = history.signedDate < history.end
        autoRenews = !history.isRevoked && (info?.autoRenewStatus.map { $0 == 1 } ?? wasActive)
        state = Self.state(history, rules, wasActive: wasActive)
        if case .expired = state { autoRenews = false }
    }

    private static func state(_ history: SubscriptionHistory, _ rules: SubscriptionRules, wasActive: Bool) -> State {
        guard !history.isRevoked else { return .revoked }
        if let intent = history.renewalInfo?.expirationIntent, history.renewalInfo?.isInBillingRetryPeriod != true {
            return .expired(ExpirationIntent(rawValue: intent) ?? .other)
        }
        if history.renewalInfo?.isInBillingRetryPeriod == true {
            let until = rules.retryEnd(after: history.end)
            guard let grace = history.renewalInfo?.gracePeriodExpiresDate, grace > history.signedDate else {
                return .billingRetry(until: until)
            }
            return .gracePeriod(until: grace, retryUntil: max(until, grace))
        }
        return wasActive || history.renewalInfo?.autoRenewStatus == 1 ? .active : .expired(.customerCancelled)
    }
}
