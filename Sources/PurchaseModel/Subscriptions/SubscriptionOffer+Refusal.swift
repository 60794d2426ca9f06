extension SubscriptionOffer {
    /// Returns the reason that a customer is not eligible for this offer, or nil for an eligible customer.
    ///
    /// Access through Family Sharing does not count as a prior subscription.
    ///
    /// - Parameter subscription: The customer's present or former subscription in the subscription group of the offer; nil for a customer
    ///   who never subscribed.
    public func refusal(for subscription: Subscription?) -> OfferRefusal? {
        guard mode != .oneTime else { return .oneTimePurchaseOnly }
        let purchasedSubscription = subscription.flatMap { $0.ownership == .purchased ? $0 : nil }
        switch kind {
        case .introductory: return purchasedSubscription?.hasUsedIntroductoryOffer == true ? .introductoryOfferUsed : nil
        case .promotional: return purchasedSubscription == nil ? .neverSubscribed : nil
        case .retention: return purchasedSubscription?.hasEnded == false ? nil : .notSubscribed
        case .code: return offerCodeRefusal(for: purchasedSubscription)
        case .winBack:
            if let isEligible { return isEligible ? nil : .disabled }
            guard let purchasedSubscription else { return .neverSubscribed }
            return purchasedSubscription.hasEnded ? nil : .subscribed
        }
    }

    /// Returns the reason that a customer is not eligible for this offer code, or nil for an eligible customer.
    ///
    /// Every customer is eligible for an offer code without eligibility rules.
    private func offerCodeRefusal(for purchasedSubscription: Subscription?) -> OfferRefusal? {
        guard !eligibility.isEmpty else { return nil }
        switch purchasedSubscription?.hasEnded {
        case nil: return eligibility.contains(.new) ? nil : .neverSubscribed
        case true?: return eligibility.contains(.expired) ? nil : .notSubscribed
        case false?: return eligibility.contains(.existing) ? nil : .subscribed
        }
    }
}

extension Subscription {
    /// Whether the subscription has ended, and the customer can purchase it again.
    public var hasEnded: Bool {
        switch state {
        case .active, .gracePeriod, .billingRetry: false
        case .expired, .revoked: true
        }
    }

    /// Returns the identifiers of the win-back offers that the customer is eligible for, in the given order.
    ///
    /// The array is empty while the store retries a failed renewal.
    public func eligibleWinBackOfferIDs(among offers: [SubscriptionOffer]) -> [String] {
        guard isInBillingRetry != true else { return [] }
        return offers.filter { $0.kind == .winBack && $0.refusal(for: self) == nil }.compactMap(\.id)
    }
}
