extension Subscription {
    /// Creates a family member's entitlement, and the actions that follow.
    ///
    /// The entitlement has the state of the purchaser's subscription. Its single period is the purchaser's newest, with the same plan,
    /// offer and dates, at no price. The same events therefore renew and end both subscriptions at the same times.
    ///
    /// - Parameters:
    ///   - id: The first transaction of the entitlement.
    ///   - appTransactionID: The member's app transaction identifier in this app.
    public func copy(
        originalTransactionID id: TransactionID, appTransactionID: String?
    ) -> (subscription: Subscription, actions: [SubscriptionAction]) {
        let copy = Subscription(copyOf: self, id, appTransactionID)
        return (copy, [.notify(.subscribed, period: copy.period.number)])
    }

    private init(copyOf original: Subscription, _ id: TransactionID, _ appTransactionID: String?) {
        originalTransactionID = id
        ownership = .familyShared
        rules = original.rules
        appAccountToken = nil
        self.appTransactionID = appTransactionID
        state = original.state
        // The periods of the entitlement are numbered from its own first period.
        period = SubscriptionPeriod(
            number: 1, plan: original.period.plan, offer: original.period.offer,
            price: Money(milliunits: 0, currency: original.period.price.currency), reason: .purchase, start: original.period.start,
            end: original.period.end
        )
        paidUntil = original.paidUntil
        plan = original.plan
        autoRenews = original.autoRenews
        pendingPlan = original.pendingPlan
        pendingOffer = original.pendingOffer
        priceIncrease = original.priceIncrease
        recentStart = original.recentStart
        hasUsedIntroductoryOffer = original.hasUsedIntroductoryOffer
        renewals = original.renewals
        extensions = original.extensions
        stateBeforeRevocation = original.stateBeforeRevocation
        handledUntil = original.handledUntil
    }
}
