extension Subscription {
    /// A family member's copy, and what to do about it.
    ///
    /// The copy stands where the purchaser's subscription stands: its one period is the purchaser's newest with the same plan, offer
    /// and dates, at no price. So both decide alike about every event that both are sent, and renew and end at the same moments.
    ///
    /// - Parameters:
    ///   - id: The copy's first transaction.
    ///   - appTransactionID: The member's in this app.
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
        // Its periods are counted from the first that it has.
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
