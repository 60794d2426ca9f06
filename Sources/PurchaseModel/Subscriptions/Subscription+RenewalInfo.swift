extension Subscription {
    /// The expiration reason in renewal info; nil while the customer has access, and after a refund.
    ///
    /// During the billing retry period, the expiration reason is already a billing error.
    public var expirationIntent: ExpirationIntent? {
        switch state {
        case .active, .gracePeriod, .revoked: nil
        case .billingRetry: .billingError
        case .expired(let intent): intent
        }
    }

    /// Whether the store retries a failed renewal; nil for an active subscription, and after a refund.
    ///
    /// The value is false for every expired subscription, whatever the expiration reason, as in the App Store's responses.
    public var isInBillingRetry: Bool? {
        switch state {
        case .gracePeriod, .billingRetry: true
        case .expired: false
        case .active, .revoked: nil
        }
    }

    /// The end of the billing grace period; nil outside of the billing grace period.
    public var gracePeriodExpirationDate: Timestamp? {
        switch state {
        case .gracePeriod(let until, _): until
        case .active, .billingRetry, .expired, .revoked: nil
        }
    }

    /// Whether a charge follows the newest period: auto-renew is enabled, or further charges of a commitment follow.
    public var willAutoRenew: Bool {
        switch state {
        case .active, .gracePeriod, .billingRetry: (autoRenews || isCommitted) && unbundling != .expires
        case .expired, .revoked: false
        }
    }

    /// Returns the payload of the subscription's renewal info, which the store signs.
    ///
    /// - Parameters:
    ///   - environment: The environment that the payload states.
    ///   - signedDate: The date at which the store signs the payload.
    ///   - eligibleWinBackOfferIDs: The identifiers of the win-back offers that the customer is eligible for, best first. The payload does
    ///     not contain them while the store retries a failed renewal.
    public func renewalInfo(
        environment: AppEnvironment, signedDate: Timestamp, eligibleWinBackOfferIDs: [String] = []
    ) -> RenewalInfoPayload {
        var payload = RenewalInfoPayload(
            originalTransactionId: originalTransactionID,
            productId: productID,
            autoRenewStatus: willAutoRenew ? 1 : 0,
            environment: environment.rawValue,
            signedDate: signedDate
        )
        payload.autoRenewProductId = nextPlan.productID
        payload.expirationIntent = expirationIntent?.rawValue
        payload.isInBillingRetryPeriod = isInBillingRetry
        payload.gracePeriodExpiresDate = gracePeriodExpirationDate
        payload.renewalDate = paidUntil
        payload.recentSubscriptionStartDate = recentSubscriptionStartDate
        payload.appAccountToken = appAccountToken
        payload.appTransactionId = appTransactionID
        if isInBillingRetry != true, !eligibleWinBackOfferIDs.isEmpty {
            payload.eligibleWinBackOfferIds = eligibleWinBackOfferIDs
        }
        if willAutoRenew {
            setNextPeriod(in: &payload)
        }
        payload.isPendingUnbundle = isPendingUnbundle ? true : nil
        if let commitment = period.commitment, !hasEnded, !isRevokedAtStart {
            payload.commitmentInfo = commitmentInfo(after: commitment)
        }
        return payload
    }

    private func commitmentInfo(after commitment: CommitmentCharge) -> RenewalCommitmentInfo {
        let next = planAfterCommitment
        var info = RenewalCommitmentInfo()
        info.commitmentAutoRenewProductId = next.productID
        info.commitmentAutoRenewStatus = (autoRenews ? AutoRenewStatus.on : .off).rawValue
        info.commitmentRenewalBillingPlanType = (next.billingPlan ?? .billedUpfront).rawValue
        // An extension of the last charge's period moves the renewal after the commitment.
        info.commitmentRenewalDate = max(commitment.expires, paidUntil)
        if ownership == .purchased {
            let offer = isCommitted ? pendingOffer.map { AppliedOffer($0) } : nextOffer
            let period = Self.period(period.number, of: next, offer, from: paidUntil, .renewal, rules, ownership)
            info.commitmentRenewalPrice = period.price.milliunits
        }
        return info
    }

    private func setNextPeriod(in payload: inout RenewalInfoPayload) {
        payload.renewalBillingPlanType = nextPlan.billingPlan?.rawValue
        payload.bundleProductId = nextBundle?.productID
        payload.bundleSubscriptionGroupIdentifier = nextBundle?.groupID
        payload.bundleOriginalTransactionId = nextBundle?.originalTransactionID
        payload.priceIncreaseStatus = pendingPlan == nil ? priceIncrease?.status?.rawValue : nil
        let count = max(1, seats?.atRenewal ?? 1)
        let next = Self.period(period.number, of: nextPlan, nextOffer, from: paidUntil, .renewal, rules, ownership, seats: count)
        if ownership == .purchased {
            payload.renewalPrice = next.price.milliunits
            payload.currency = next.price.currency
        }
        if ownership == .purchased, let tiers = next.seats, count > 1 {
            payload.renewalPrice = next.price.milliunits / Int64(count)
            payload.renewalQuantity = count
            payload.multiSeatInfo = RenewalMultiSeatInfo(renewalPriceTiers: tiers)
        }
        guard let offer = next.offer?.offer else { return }
        payload.offerType = offer.kind.rawValue
        payload.offerIdentifier = offer.id
        payload.offerDiscountType = offer.mode.rawValue
        payload.offerPeriod = offer.totalPeriod.iso8601
    }
}
