extension Subscription {
    /// The plan of the next subscription period, at the price of the next renewal.
    ///
    /// Within a commitment, the plan is that of the newest period: another plan and another price wait for the end of the commitment.
    public var nextPlan: SubscriptionPlan { isCommitted ? period.plan : planAfterCommitment }

    /// The plan of the next renewal at which the customer can change the plan: the next one, or the renewal after the commitment.
    public var planAfterCommitment: SubscriptionPlan {
        var next = pendingPlan ?? plan
        if pendingPlan == nil, let priceIncrease, priceIncrease.consent == .accepted {
            next.setPrice(priceIncrease.price)
        }
        return next
    }

    /// The offer that applies to the next subscription period; nil when the next period has the regular price.
    ///
    /// A redeemed offer begins with the next period, and replaces the remaining periods of an earlier offer. An offer code that can be
    /// combined with the introductory offer begins after the introductory offer ends.
    public var nextOffer: AppliedOffer? {
        guard !isCommitted else { return period.offer?.next }
        guard pendingPlan == nil else { return pendingOffer.map { AppliedOffer($0) } }
        let remaining = period.offer?.next
        guard let pendingOffer else { return remaining }
        if pendingOffer.isStackable, let remaining, remaining.offer.kind == .introductory { return remaining }
        return AppliedOffer(pendingOffer)
    }

    /// Starts the next subscription period, with ``nextPlan`` and ``nextOffer``.
    ///
    /// - Returns: Whether the period started. A period that would end after the latest representable date does not start.
    mutating func renew(from start: Timestamp, _ reason: TransactionReason = .renewal) -> Bool {
        if isCommitted { return renewWithinCommitment(from: start, reason) }
        let offer = nextOffer
        let followingOffer = offer == pendingOffer.map { AppliedOffer($0) } ? nil : pendingOffer
        guard startPeriod(nextPlan, offer, from: start, reason, in: nextBundle) else { return false }
        pendingOffer = followingOffer
        return true
    }

    /// Starts the next subscription period of the commitment, and keeps all changes for the renewal after it.
    private mutating func renewWithinCommitment(from start: Timestamp, _ reason: TransactionReason) -> Bool {
        let (plan, pendingPlan, pendingOffer, priceIncrease) = (plan, pendingPlan, pendingOffer, priceIncrease)
        guard startPeriod(nextPlan, nextOffer, from: start, reason, continuing: period.commitment, in: nextBundle) else { return false }
        (self.plan, self.pendingPlan, self.pendingOffer, self.priceIncrease) = (plan, pendingPlan, pendingOffer, priceIncrease)
        return true
    }

    /// Starts a subscription period, and discards the pending plan, the pending offer and the price increase.
    ///
    /// - Parameters:
    ///   - plan: The plan of the period.
    ///   - offer: The offer of the period; nil for the regular price.
    ///   - start: The start of the period.
    ///   - reason: The cause of the period.
    ///   - commitment: The commitment that the period continues; nil to start a new commitment, if the plan has one.
    ///   - count: The number of seats, if the plan has seats; nil for the number that the customer chose for the renewal.
    ///   - bundle: The bundle of the period; nil for a stand-alone subscription.
    /// - Returns: Whether the period started. A period that would end after the latest representable date does not start.
    mutating func startPeriod(
        _ plan: SubscriptionPlan, _ offer: AppliedOffer?, from start: Timestamp, _ reason: TransactionReason,
        continuing commitment: CommitmentCharge? = nil, seats count: Int? = nil, in bundle: SubscriptionBundle? = nil
    ) -> Bool {
        let (number, overflow) = period.number.addingReportingOverflow(1)
        let billingDay = billingDay(from: start)
        let seatCount = plan.seatPricing == nil ? nil : max(1, count ?? seats?.atRenewal ?? 1)
        let next = Self.period(
            number, of: plan, offer, from: start, reason, rules, ownership, billingDay: billingDay, continuing: commitment,
            seats: seatCount,
            bundle: bundle)
        guard !overflow, next.end > next.start else { return false }
        // The gap in paid service begins at the end of the newest period, so an upgrade leaves no gap.
        if paidUntil.adding(seconds: rules.maximumServiceGap) < start {
            recentSubscriptionStartDate = start
        }
        state = .active
        stateBeforeRevocation = nil
        period = next
        seats = seatCount.map { SubscriptionSeats(purchased: $0) }
        unbundling = nil
        self.billingDay = billingDay
        paidUntil = next.end
        self.plan = plan
        pendingPlan = nil
        pendingOffer = nil
        priceIncrease = nil
        hasUsedIntroductoryOffer = hasUsedIntroductoryOffer || offer?.offer.kind == .introductory
        return true
    }

    /// Returns the day of the month to which the billing cycle returns after a period that starts at `start`; nil for the day of `start`.
    ///
    /// The billing cycle continues in a period that follows a period of months or years at its end. Any other period starts a new one.
    private func billingDay(from start: Timestamp) -> Int? {
        let unit = (period.offer?.period ?? period.plan.period).unit
        guard rules.timeRate == .realTime, start == paidUntil, paidUntil == period.end, unit == .month || unit == .year else { return nil }
        let day = billingDay ?? period.start.dayOfMonth
        return start.dayOfMonth < day ? day : nil
    }

    static func period(
        _ number: Int, of plan: SubscriptionPlan, _ offer: AppliedOffer?, from start: Timestamp, _ reason: TransactionReason,
        _ rules: SubscriptionRules, _ ownership: Ownership, billingDay: Int? = nil, continuing commitment: CommitmentCharge? = nil,
        seats: Int? = nil, bundle: SubscriptionBundle? = nil
    ) -> SubscriptionPeriod {
        let unit = offer?.offer.price ?? plan.price
        let each = offer?.offer.mode == .freeTrial ? Money(milliunits: 0, currency: unit.currency) : unit
        let tiers = plan.seatPricing.flatMap { pricing in
            // Each seat costs the price of an offer, which is an assumption: no documentation states it.
            seats.map { (offer == nil ? pricing : SeatPricing(price: each)).tiers(of: 1...max(1, $0)) }
        }
        let total = tiers?.total ?? each.milliunits
        let price = Money(milliunits: ownership == .purchased ? total : 0, currency: each.currency)
        let end = rules.timeRate.end(of: offer?.period ?? plan.period, after: start, day: billingDay)
        return SubscriptionPeriod(
            number: number, plan: plan, offer: offer, price: price, reason: reason, start: start, end: end,
            commitment: charge(after: commitment, of: plan, offer?.period ?? plan.period, from: start, until: end, rules, billingDay),
            seats: tiers, bundle: bundle)
    }

    /// Returns the position of a period in its commitment; nil for a plan without a commitment.
    ///
    /// The remaining charges follow the period without gaps, so that a recovered charge, which begins later, delays the commitment's end.
    ///
    /// An offer's period counts as a charge, which is an assumption: Apple's documentation that this project has seen does not state it.
    private static func charge(
        after earlier: CommitmentCharge?, of plan: SubscriptionPlan, _ length: BillingPeriod, from start: Timestamp, until end: Timestamp,
        _ rules: SubscriptionRules, _ billingDay: Int?
    ) -> CommitmentCharge? {
        guard let commitment = plan.commitment else { return nil }
        let (number, count) = earlier.map { ($0.number + 1, $0.count) } ?? (1, max(commitment.charges, 1))
        // After an offer in days or weeks, the following charges are on the day on which the offer ends.
        let day = billingDay ?? (length.unit == .day || length.unit == .week ? end : start).dayOfMonth
        let expires = (number..<max(number, count)).reduce(end) { date, _ in rules.timeRate.end(of: plan.period, after: date, day: day) }
        return CommitmentCharge(number: number, count: count, expires: expires, price: earlier?.price ?? commitment.price)
    }
}
