extension SubscriptionOffer {
    /// The reason that a customer is not eligible for this offer; nil for an eligible customer.
    ///
    /// `subscription` is the customer's subscription in the offer's group, or nil for a customer who never had one. Access through Family
    /// Sharing does not count as a prior subscription.
    public func refusal(for subscription: Subscription?) -> OfferRefusal? {
        guard mode != .oneTime else { return .oneTimePurchaseOnly }
        let purchasedSubscription = subscription.flatMap { $0.ownership == .purchased ? $0 : nil }
        switch kind {
        case .introductory: return purchasedSubscription?.hasUsedIntroductoryOffer == true ? .introductoryOfferUsed : nil
        case .promotional: return purchasedSubscription == nil ? .neverSubscribed : nil
        case .code: return offerCodeRefusal(for: purchasedSubscription)
        case .winBack:
            if let isEligible { return isEligible ? nil : .disabled }
            guard let purchasedSubscription else { return .neverSubscribed }
            return purchasedSubscription.hasEnded ? nil : .subscribed
        }
    }

    /// An offer code without eligibility rules is available to every customer.
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

    /// The win-back offers that the customer is eligible for, in the given order; none during the billing retry period.
    public func eligibleWinBackOfferIDs(among offers: [SubscriptionOffer]) -> [String] {
        guard isInBillingRetry != true else { return [] }
        return offers.filter { $0.kind == .winBack && $0.refusal(for: self) == nil }.compactMap(\.id)
    }
}
