extension SubscriptionOffer {
    /// Why a customer cannot have this offer; nil when the customer can.
    ///
    /// `subscription` is the customer's in the offer's group, nil for one who never had any there. Who only shared that of a member of
    /// the family never had one.
    public func refusal(for subscription: Subscription?) -> OfferRefusal? {
        guard mode != .oneTime else { return .notForSubscriptions }
        let own = subscription.flatMap { $0.ownership == .purchased ? $0 : nil }
        switch kind {
        case .introductory: return own?.hasUsedIntroductoryOffer == true ? .introductoryUsed : nil
        case .promotional: return own == nil ? .neverSubscribed : nil
        case .code: return refusalOfCode(for: own)
        case .winBack:
            if let isEligible { return isEligible ? nil : .switchedOff }
            guard let own else { return .neverSubscribed }
            return own.hasEnded ? nil : .subscribed
        }
    }

    /// A code without any statement is for everybody.
    private func refusalOfCode(for own: Subscription?) -> OfferRefusal? {
        guard !eligibility.isEmpty else { return nil }
        switch own?.hasEnded {
        case nil: return eligibility.contains(.new) ? nil : .neverSubscribed
        case true?: return eligibility.contains(.expired) ? nil : .lapsed
        case false?: return eligibility.contains(.existing) ? nil : .subscribed
        }
    }
}

extension Subscription {
    /// Whether it has ended, and can be bought again.
    public var hasEnded: Bool {
        switch state {
        case .active, .gracePeriod, .billingRetry: false
        case .expired, .revoked: true
        }
    }

    /// The win-back offers that the customer may have now, in the given order; none while the store tries to charge.
    public func eligibleWinBackOfferIDs(among offers: [SubscriptionOffer]) -> [String] {
        guard isInBillingRetry != true else { return [] }
        return offers.filter { $0.kind == .winBack && $0.refusal(for: self) == nil }.compactMap(\.id)
    }
}
