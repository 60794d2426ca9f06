extension Subscription {
    /// Creates a subscription from its complete stored state.
    package init(
        originalTransactionID: TransactionID,
        ownership: Ownership,
        rules: SubscriptionRules,
        appAccountToken: CustomerID?,
        appTransactionID: String?,
        state: State,
        period: SubscriptionPeriod,
        paidUntil: Timestamp,
        plan: SubscriptionPlan,
        autoRenews: Bool,
        pendingPlan: SubscriptionPlan?,
        pendingOffer: SubscriptionOffer?,
        priceIncrease: PriceIncrease?,
        recentSubscriptionStartDate: Timestamp,
        hasUsedIntroductoryOffer: Bool,
        seats: SubscriptionSeats?,
        unbundling: Unbundling?,
        renewals: Int,
        billingDay: Int?,
        extensions: [Timestamp],
        stateBeforeRevocation: StateBeforeRevocation?,
        handledUntil: Timestamp
    ) {
        self.originalTransactionID = originalTransactionID
        self.ownership = ownership
        self.rules = rules
        self.appAccountToken = appAccountToken
        self.appTransactionID = appTransactionID
        self.state = state
        self.period = period
        self.paidUntil = paidUntil
        self.plan = plan
        self.autoRenews = autoRenews
        self.pendingPlan = pendingPlan
        self.pendingOffer = pendingOffer
        self.priceIncrease = priceIncrease
        self.recentSubscriptionStartDate = recentSubscriptionStartDate
        self.hasUsedIntroductoryOffer = hasUsedIntroductoryOffer
        self.seats = seats
        self.unbundling = unbundling
        self.renewals = renewals
        self.billingDay = billingDay
        self.extensions = extensions
        self.stateBeforeRevocation = stateBeforeRevocation
        self.handledUntil = handledUntil
    }
}
