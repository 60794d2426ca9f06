extension Subscription {
    /// Enables or disables auto-renew, and returns the actions that follow.
    ///
    /// Disabling auto-renew while the store retries a failed renewal expires the subscription at once, except within a commitment.
    mutating func setAutoRenew(_ isEnabled: Bool) -> [SubscriptionAction] {
        switch state {
        case .active:
            // A customer who enables auto-renew stays in the bundle.
            if isEnabled, unbundling == .expires {
                (unbundling, autoRenews) = (nil, true)
                return [notifyAction(.autoRenewChanged(true))]
            }
            guard isEnabled != autoRenews, !isRevokedAtStart, !(isEnabled && isAtRenewalLimit) else { return [] }
            autoRenews = isEnabled
            return [notifyAction(.autoRenewChanged(isEnabled))] + updateConsentRequest(isEnabled)
        case .gracePeriod, .billingRetry:
            if isCommitted {
                guard isEnabled != autoRenews, !(isEnabled && isAtRenewalLimit) else { return [] }
                autoRenews = isEnabled
                return [notifyAction(.autoRenewChanged(isEnabled))] + updateConsentRequest(isEnabled)
            }
            guard !isEnabled else { return [] }
            autoRenews = false
            return [notifyAction(.autoRenewChanged(false))] + expire(.customerCancelled)
        case .expired, .revoked:
            return []
        }
    }

    /// Suspends the request for price consent while auto-renew is disabled, and requests consent again when auto-renew is enabled.
    private mutating func updateConsentRequest(_ isEnabled: Bool) -> [SubscriptionAction] {
        switch priceIncrease?.consent {
        case .pending where !isEnabled:
            priceIncrease?.consent = .notRequested
            return []
        case .notRequested where isEnabled:
            priceIncrease?.consent = .pending
            return [notifyAction(.priceIncrease(accepted: false))]
        case .pending, .accepted, .notRequested, nil:
            return []
        }
    }

    /// Applies a new price of a product: a decrease without a notice, an increase with a notice or a request for consent.
    mutating func changePrice(of productID: ProductID, to price: Money, requiresConsent: Bool) -> [SubscriptionAction] {
        switch state {
        case .active, .gracePeriod, .billingRetry: break
        case .expired, .revoked: return []
        }
        if pendingPlan?.productID == productID, productID != plan.productID {
            // The subscription never charged the old price, so the new price is not a price increase.
            pendingPlan?.setPrice(price)
            return []
        }
        guard productID == plan.productID else { return [] }
        guard price.currency == plan.price.currency, price.milliunits > plan.price.milliunits || (requiresConsent && price == plan.price)
        else {
            plan.setPrice(price)
            priceIncrease = nil
            return []
        }
        let consent: PriceIncrease.Consent = requiresConsent ? (autoRenews ? .pending : .notRequested) : .accepted
        priceIncrease = PriceIncrease(price: price, consent: consent)
        switch consent {
        case .pending: return [notifyAction(.priceIncrease(accepted: false))]
        case .accepted: return [notifyAction(.priceIncrease(accepted: true))]
        case .notRequested: return []
        }
    }

    /// Processes the customer's answer to a price increase; declining the price increase disables auto-renew.
    mutating func applyConsent(_ consented: Bool) -> [SubscriptionAction] {
        guard priceIncrease?.consent == .pending else { return [] }
        guard consented else { return setAutoRenew(false) }
        priceIncrease?.consent = .accepted
        return [notifyAction(.priceIncrease(accepted: true))]
    }
}
