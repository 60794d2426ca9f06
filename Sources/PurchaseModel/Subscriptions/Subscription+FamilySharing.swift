extension Subscription {
    /// Creates a family member's entitlement, and the actions that follow.
    ///
    /// The entitlement has the state of the purchaser's subscription. Its single period is the purchaser's newest, with the same plan,
    /// offer and dates, at no price. The same events therefore renew and end both subscriptions at the same times.
    ///
    /// - Parameters:
    ///   - id: The first transaction of the entitlement.
    ///   - appTransactionID: The member's app transaction identifier in this app.
    public func familySharingEntitlement(
        originalTransactionID id: TransactionID, appTransactionID: String?
    ) -> (subscription: Subscription, actions: [SubscriptionAction]) {
        let entitlement = Subscription(sharing: self, id, appTransactionID)
        return (entitlement, [.notify(.subscribed, period: entitlement.period.number)])
    }

    private init(sharing purchaserSubscription: Subscription, _ id: TransactionID, _ appTransactionID: String?) {
        originalTransactionID = id
        ownership = .familyShared
        rules = purchaserSubscription.rules
        appAccountToken = nil
        self.appTransactionID = appTransactionID
        state = purchaserSubscription.state
        // The periods of the entitlement are numbered from its own first period.
        period = SubscriptionPeriod(
            number: 1, plan: purchaserSubscription.period.plan, offer: purchaserSubscription.period.offer,
            price: Money(milliunits: 0, currency: purchaserSubscription.period.price.currency), reason: .purchase,
            start: purchaserSubscription.period.start, end: purchaserSubscription.period.end
        )
        paidUntil = purchaserSubscription.paidUntil
        plan = purchaserSubscription.plan
        autoRenews = purchaserSubscription.autoRenews
        pendingPlan = purchaserSubscription.pendingPlan
        pendingOffer = purchaserSubscription.pendingOffer
        priceIncrease = purchaserSubscription.priceIncrease
        recentSubscriptionStartDate = purchaserSubscription.recentSubscriptionStartDate
        hasUsedIntroductoryOffer = purchaserSubscription.hasUsedIntroductoryOffer
        renewals = purchaserSubscription.renewals
        extensions = purchaserSubscription.extensions
        stateBeforeRevocation = purchaserSubscription.stateBeforeRevocation
        handledUntil = purchaserSubscription.handledUntil
    }
}
