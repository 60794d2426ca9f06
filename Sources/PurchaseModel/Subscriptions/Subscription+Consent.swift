extension Subscription {
    /// Enables or disables auto-renew; disabling it in the billing retry period expires the subscription at once.
    mutating func switchRenewal(_ on: Bool) -> [SubscriptionAction] {
        switch state {
        case .active:
            guard on != autoRenews, !(on && isAtRenewalLimit) else { return [] }
            autoRenews = on
            return [tell(.autoRenewChanged(on))] + askAboutPriceAgain(on)
        case .gracePeriod, .billingRetry:
            guard !on else { return [] }
            autoRenews = false
            return [tell(.autoRenewChanged(false))] + expire(.customerCancelled)
        case .expired, .revoked:
            return []
        }
    }

    /// Suspends the request for price consent while auto-renew is disabled, and requests consent again when auto-renew is enabled.
    private mutating func askAboutPriceAgain(_ on: Bool) -> [SubscriptionAction] {
        switch priceIncrease?.answer {
        case .pending where !on:
            priceIncrease?.answer = .dormant
            return []
        case .dormant where on:
            priceIncrease?.answer = .pending
            return [tell(.priceIncrease(accepted: false))]
        case .pending, .accepted, .dormant, nil:
            return []
        }
    }

    /// Applies a new price: a decrease silently, an increase with a notice or a request for consent.
    mutating func changePrice(of productID: ProductID, to price: Money, needsConsent: Bool) -> [SubscriptionAction] {
        switch state {
        case .active, .gracePeriod, .billingRetry: break
        case .expired, .revoked: return []
        }
        if pendingPlan?.productID == productID {
            // The subscription never charged the old price, so the new price is not a price increase.
            pendingPlan?.price = price
            return []
        }
        guard productID == plan.productID else { return [] }
        guard price.currency == plan.price.currency, price.milliunits > plan.price.milliunits || (needsConsent && price == plan.price)
        else {
            plan.price = price
            priceIncrease = nil
            return []
        }
        let answer: PriceIncrease.Answer = needsConsent ? (autoRenews ? .pending : .dormant) : .accepted
        priceIncrease = PriceIncrease(price: price, answer: answer)
        switch answer {
        case .pending: return [tell(.priceIncrease(accepted: false))]
        case .accepted: return [tell(.priceIncrease(accepted: true))]
        case .dormant: return []
        }
    }

    /// Records the customer's answer to a price increase; a customer who declines keeps the subscription until its period ends.
    mutating func answerPriceIncrease(_ agreed: Bool) -> [SubscriptionAction] {
        guard priceIncrease?.answer == .pending else { return [] }
        guard agreed else { return switchRenewal(false) }
        priceIncrease?.answer = .accepted
        return [tell(.priceIncrease(accepted: true))]
    }
}
