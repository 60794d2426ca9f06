extension Subscription {
    /// Takes what happened and answers with what to do about it, in order.
    ///
    /// What has no effect answers with nothing. What is due must be handled before anything else: until then every other event is
    /// answered with ``SubscriptionAction/overdue(since:)``. ``SubscriptionEvent/due(cardWorks:forSale:)`` happens at the time it was
    /// due however late it is sent, once for each time that is due; it is sent again while ``nextDue`` is not after `time`.
    /// Every other event happens at `time`, or where that is before something that has happened already, together with that.
    ///
    /// After ``SubscriptionEvent/sharingEnded`` a family member's copy is no copy any more: no event has an effect on it.
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

    /// A notice about the newest period.
    func tell(_ notice: SubscriptionNotice) -> SubscriptionAction {
        .notify(notice, period: period.number)
    }

    /// Ends it.
    mutating func expire(_ intent: ExpirationIntent) -> [SubscriptionAction] {
        state = .expired(intent)
        return [tell(.expired(intent))]
    }
}
