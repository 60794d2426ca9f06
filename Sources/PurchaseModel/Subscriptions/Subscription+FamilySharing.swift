extension Subscription {
    /// Returns the entitlement of a family member or of a group's member to this subscription, and the actions that the store carries out.
    ///
    /// The entitlement has the state of the purchaser's subscription. The first period of the entitlement has the plan, the offer and the
    /// dates of the purchaser's newest period, at a price of 0. The same events therefore renew and end both subscriptions at the same
    /// times. The store shares the running period, too, if the purchaser's newest period was charged ahead and has not begun.
    ///
    /// - Parameters:
    ///   - id: The identifier of the first transaction of the entitlement.
    ///   - ownership: The ownership of the entitlement: through Family Sharing, or assigned to a member of a group.
    ///   - appTransactionID: The member's app transaction identifier.
    ///   - periodNumber: The number of the entitlement's first period; 2 if the store also shares the purchaser's running period.
    public func sharedEntitlement(
        originalTransactionID id: TransactionID, _ ownership: Ownership = .familyShared, appTransactionID: String?, periodNumber: Int = 1
    ) -> (subscription: Subscription, actions: [SubscriptionAction]) {
        let entitlement = Subscription(sharing: self, id, ownership, appTransactionID, periodNumber)
        return (entitlement, [.notify(.subscribed, period: entitlement.period.number)])
    }

    private init(
        sharing purchaserSubscription: Subscription, _ id: TransactionID, _ ownership: Ownership, _ appTransactionID: String?,
        _ periodNumber: Int
    ) {
        originalTransactionID = id
        self.ownership = ownership
        rules = purchaserSubscription.rules
        appAccountToken = nil
        self.appTransactionID = appTransactionID
        state = purchaserSubscription.state
        // The periods of the entitlement are counted from 1, whatever the number of the purchaser's newest period is.
        period = SubscriptionPeriod(
            number: periodNumber, plan: purchaserSubscription.period.plan, offer: purchaserSubscription.period.offer,
            price: Money(milliunits: 0, currency: purchaserSubscription.period.price.currency), reason: .purchase,
            start: purchaserSubscription.period.start, end: purchaserSubscription.period.end,
            commitment: purchaserSubscription.period.commitment, seats: purchaserSubscription.period.seats,
            bundle: purchaserSubscription.period.bundle
        )
        paidUntil = purchaserSubscription.paidUntil
        plan = purchaserSubscription.plan
        autoRenews = purchaserSubscription.autoRenews
        pendingPlan = purchaserSubscription.pendingPlan
        pendingOffer = purchaserSubscription.pendingOffer
        priceIncrease = purchaserSubscription.priceIncrease
        recentSubscriptionStartDate = purchaserSubscription.recentSubscriptionStartDate
        hasUsedIntroductoryOffer = purchaserSubscription.hasUsedIntroductoryOffer
        seats = purchaserSubscription.seats
        unbundling = purchaserSubscription.unbundling
        renewals = purchaserSubscription.renewals
        billingDay = purchaserSubscription.billingDay
        extensions = purchaserSubscription.extensions
        stateBeforeRevocation = purchaserSubscription.stateBeforeRevocation
        handledUntil = purchaserSubscription.handledUntil
    }
}
