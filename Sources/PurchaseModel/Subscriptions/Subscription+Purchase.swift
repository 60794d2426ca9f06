extension Subscription {
    /// Processes the customer's purchase of a product in the subscription's group, and returns the actions that follow.
    mutating func processPurchase(_ purchase: SubscriptionPurchase, at now: Timestamp) -> [SubscriptionAction] {
        switch state {
        case .active where isRevokedAtStart: resubscribe(purchase, at: now)
        case .active: change(to: purchase, at: now)
        case .gracePeriod, .billingRetry: resolveBillingIssue(purchase, at: now)
        case .expired, .revoked: resubscribe(purchase, at: now)
        }
    }

    private mutating func resubscribe(_ purchase: SubscriptionPurchase, at now: Timestamp) -> [SubscriptionAction] {
        guard start(purchase, at: now) else { return [] }
        autoRenews = true
        return [.charge(period), notifyAction(.resubscribed)]
    }

    /// Processes the customer's purchase of a product in the subscription's group while a failed renewal is unpaid.
    ///
    /// A purchase of the current product without an offer pays the failed renewal. Any other purchase starts a new period at once.
    private mutating func resolveBillingIssue(_ purchase: SubscriptionPurchase, at now: Timestamp) -> [SubscriptionAction] {
        let change = SubscriptionChange(from: plan, to: purchase.plan)
        if change == nil, purchase.offer == nil {
            let cancellation = cancelPendingPlan()
            if let count = purchase.seats, count >= 1 { seats?.atRenewal = min(count, SeatPricing.seatLimit) }
            return recover(at: now, .purchase) + cancellation.map { notifyAction($0) } + enableAutoRenew()
        }
        guard start(purchase, at: now) else { return [] }
        return [
            .charge(period), notifyAction(purchase.offer == nil ? .planChanged(change) : .offerRedeemed(change)), notifyAction(.recovered),
        ] + enableAutoRenew()
    }

    private mutating func change(to purchase: SubscriptionPurchase, at now: Timestamp) -> [SubscriptionAction] {
        switch SubscriptionChange(from: plan, to: purchase.plan) {
        case .upgrade: return upgrade(to: purchase, at: now)
        case .downgrade:
            guard pendingPlan != purchase.plan || purchase.offer != nil || !autoRenews else { return [] }
            pendingPlan = purchase.plan
            pendingOffer = purchase.offer
            if let count = purchase.seats, let seats { self.seats?.atRenewal = min(max(1, count), seats.count) }
            return [notifyAction(purchase.offer == nil ? .planChanged(.downgrade) : .offerRedeemed(.downgrade))] + enableAutoRenew()
        case nil:
            let added = purchase.seats.map { addSeats(upTo: $0, at: now) } ?? []
            guard let offer = purchase.offer else {
                return added + cancelPendingPlan().map { notifyAction($0) } + enableAutoRenew()
            }
            pendingPlan = nil
            pendingOffer = offer
            return added + [notifyAction(.offerRedeemed(nil))] + enableAutoRenew()
        }
    }

    private mutating func upgrade(to purchase: SubscriptionPurchase, at now: Timestamp) -> [SubscriptionAction] {
        let old = period.number
        let refund = SubscriptionRevocation.prorated(from: period.start, to: paidUntil, at: now)
        guard start(purchase, at: now) else { return [] }
        let notice: SubscriptionNotice = purchase.offer == nil ? .planChanged(.upgrade) : .offerRedeemed(.upgrade)
        return [.markUpgraded(period: old, refund: ownership == .purchased ? refund : nil), .charge(period), notifyAction(notice)]
            + enableAutoRenew()
    }

    /// Starts a period of the purchased plan now, and returns false when the period would end after the latest representable date.
    private mutating func start(_ purchase: SubscriptionPurchase, at now: Timestamp) -> Bool {
        let date = rules.transactionDate(now)
        // A purchase replaces a renewal that was charged ahead, and does not wait for the start of its period.
        let start = isChargedAhead(at: now) ? date : max(date, period.start)
        // A purchase states the number of its seats, and an upgrade without a number keeps the seats.
        let count = purchase.seats ?? (hasEnded ? nil : seats?.count)
        guard startPeriod(purchase.plan, purchase.offer.map { AppliedOffer($0) }, from: start, .purchase, seats: count ?? 1) else {
            return false
        }
        pendingOffer = purchase.followingOffer
        renewals = 0
        return true
    }

    private mutating func cancelPendingPlan() -> [SubscriptionNotice] {
        guard pendingPlan != nil else { return [] }
        pendingPlan = nil
        pendingOffer = nil
        return [.planChanged(nil)]
    }

    private mutating func enableAutoRenew() -> [SubscriptionAction] {
        autoRenews && unbundling != .expires ? [] : setAutoRenew(true)
    }
}
