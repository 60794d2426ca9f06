extension Subscription {
    /// Processes an event and returns the actions that the event requires, in order.
    ///
    /// An event without effect returns no actions. A due renewal or expiration must be processed before any other event: until then every
    /// other event returns ``SubscriptionAction/overdue(since:)``. ``SubscriptionEvent/due(cardWorks:forSale:)`` takes effect at the time
    /// it was due, however late it is sent, once for each due time; the owner sends it again while ``nextDue`` is not after `time`. Every
    /// other event takes effect at `time`, or at the time of the latest processed event when `time` is earlier.
    ///
    /// After ``SubscriptionEvent/sharingEnded`` a Family Sharing entitlement has ended for good: no event has an effect on it.
    public mutating func handle(_ event: SubscriptionEvent, at time: Timestamp) -> [SubscriptionAction] {
        guard !hasSharingEnded else { return [] }
        let before = self
        let now: Timestamp
        if case .due = event {
            guard let due = nextDue, due <= time else { return [] }
            now = due
        } else {
            now = max(time, handledUntil)
            if let due = nextDue, due <= now { return [.overdue(since: due)] }
        }
        let actions = happen(event, at: now)
        if self != before {
            handledUntil = max(handledUntil, now)
        }
        return actions
    }

    private mutating func happen(_ event: SubscriptionEvent, at now: Timestamp) -> [SubscriptionAction] {
        switch event {
        case .due(let cardWorks, let forSale): fallDue(cardWorks: cardWorks, forSale: forSale)
        case .billingIssueResolved: recover(at: now)
        case .autoRenew(let on): switchRenewal(on)
        case .purchase(let purchase): buy(purchase, at: now)
        case .priceChanged(let productID, let price, let needsConsent): changePrice(of: productID, to: price, needsConsent: needsConsent)
        case .priceConsent(let agreed): answerPriceIncrease(agreed)
        case .refunded(let number, let prorated): refund(number, prorated: prorated, at: now)
        case .refundReversed(let number): reverseRefund(number, at: now)
        case .sharingEnded: endSharing()
        case .extended(let days): extend(days: days, at: now)
        case .renewalForced(let cardWorks): forceRenewal(at: now, cardWorks: cardWorks)
        case .expiryForced: forceExpiry(at: now)
        }
    }

    /// The action that sends a notice about the newest period.
    func tell(_ notice: SubscriptionNotice) -> SubscriptionAction {
        .notify(notice, period: period.number)
    }

    /// Expires the subscription.
    mutating func expire(_ intent: ExpirationIntent) -> [SubscriptionAction] {
        state = .expired(intent)
        return [tell(.expired(intent))]
    }
}
