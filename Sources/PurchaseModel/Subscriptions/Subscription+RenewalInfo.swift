extension Subscription {
    /// Why it ended; nil while there is access, and after a refund.
    public var expirationIntent: ExpirationIntent? {
        switch state {
        case .active, .gracePeriod, .revoked: nil
        case .billingRetry: .billingError
        case .expired(let intent): intent
        }
    }

    /// Whether the store is still trying to charge; nil while the subscription is paid, and after a refund.
    ///
    /// An expired subscription has false whatever it expired of, as in the App Store's answers.
    public var isInBillingRetry: Bool? {
        switch state {
        case .gracePeriod, .billingRetry: true
        case .expired: false
        case .active, .revoked: nil
        }
    }

    /// Until when access goes on without payment.
    public var graceUntil: Timestamp? {
        switch state {
        case .gracePeriod(let until, _): until
        case .active, .billingRetry, .expired, .revoked: nil
        }
    }

    /// Whether the store means to charge again.
    public var willRenew: Bool {
        switch state {
        case .active, .gracePeriod, .billingRetry: autoRenews
        case .expired, .revoked: false
        }
    }

    /// What signed renewal information says of it.
    ///
    /// `eligibleWinBackOfferIDs`, best first, are left out while the store tries to charge.
    public func renewalInfo(
        environment: AppEnvironment, signedDate: Timestamp, eligibleWinBackOfferIDs: [String] = []
    ) -> RenewalInfoPayload {
        var payload = RenewalInfoPayload(
            originalTransactionId: originalTransactionID,
            productId: productID,
            autoRenewStatus: willRenew ? 1 : 0,
            environment: environment.rawValue,
            signedDate: signedDate
        )
        payload.autoRenewProductId = nextPlan.productID
        payload.expirationIntent = expirationIntent?.rawValue
        payload.isInBillingRetryPeriod = isInBillingRetry
        payload.gracePeriodExpiresDate = graceUntil
        payload.renewalDate = paidUntil
        payload.recentSubscriptionStartDate = recentStart
        payload.appAccountToken = appAccountToken
        payload.appTransactionId = appTransactionID
        if isInBillingRetry != true, !eligibleWinBackOfferIDs.isEmpty {
            payload.eligibleWinBackOfferIds = eligibleWinBackOfferIDs
        }
        if willRenew {
            sayNextPeriod(in: &payload)
        }
        return payload
    }

    private func sayNextPeriod(in payload: inout RenewalInfoPayload) {
        payload.priceIncreaseStatus = pendingPlan == nil ? priceIncrease?.status?.rawValue : nil
        let next = Self.period(period.number, of: nextPlan, nextOffer, from: paidUntil, .renewal, rules, ownership)
        if ownership == .purchased {
            payload.renewalPrice = next.price.milliunits
            payload.currency = next.price.currency
        }
        guard let offer = next.offer?.offer else { return }
        payload.offerType = offer.kind.rawValue
        payload.offerIdentifier = offer.id
        payload.offerDiscountType = offer.mode.rawValue
        payload.offerPeriod = offer.totalPeriod.iso8601
    }
}
