extension Subscription {
    /// The customer's switch; while the store tries to charge, switching off ends the subscription at once.
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

    /// A question about the price sleeps while renewal is off.
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

    /// A new price: a lower one is silently taken over, a higher one is told or asked about.
    mutating func changePrice(of productID: ProductID, to price: Money, needsConsent: Bool) -> [SubscriptionAction] {
        switch state {
        case .active, .gracePeriod, .billingRetry: break
        case .expired, .revoked: return []
        }
        if pendingPlan?.productID == productID {
            // Nothing was charged at the old price, so there is nothing to compare with.
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

    /// The customer's answer; who declines keeps the subscription until its period ends.
    mutating func answerPriceIncrease(_ agreed: Bool) -> [SubscriptionAction] {
        guard priceIncrease?.answer == .pending else { return [] }
        guard agreed else { return switchRenewal(false) }
        priceIncrease?.answer = .accepted
        return [tell(.priceIncrease(accepted: true))]
    }
}
