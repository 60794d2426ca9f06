extension Subscription {
    /// Processes a refund: a refund of the newest period revokes the subscription, and a refund of an older period leaves it unchanged.
    mutating func refund(_ number: Int, prorated: Bool, at now: Timestamp) -> [SubscriptionAction] {
        guard number >= 1, number <= period.number else { return [] }
        let isNewest = number == period.number
        if isNewest {
            guard state != .revoked else { return [] }
            stateBeforeRevocation = StateBeforeRevocation(state: state, autoRenews: autoRenews)
            state = .revoked
            autoRenews = false
        }
        guard ownership == .purchased else {
            // A family member receives no refund, and is notified only of access that is lost.
            return [.revoke(period: number, .family)] + (isNewest ? [.notify(.revoked, period: number)] : [])
        }
        // An older period has no remaining time to refund.
        let end = isNewest ? paidUntil : now
        let revocation: SubscriptionRevocation =
            prorated ? .prorated(from: isNewest ? period.start : now, to: end, at: now) : .full
        return [.revoke(period: number, revocation), .notify(.refunded, period: number)]
    }

    /// Reverses a refund: restores the earlier state while the period lasts, and expires the subscription when the period is over.
    ///
    /// The renewal date stays unchanged.
    mutating func reverseRefund(_ number: Int, at now: Timestamp) -> [SubscriptionAction] {
        guard number >= 1, number <= period.number else { return [] }
        if number == period.number {
            guard state == .revoked, let stateBeforeRevocation else { return [] }
            self.stateBeforeRevocation = nil
            autoRenews = stateBeforeRevocation.autoRenews
            switch stateBeforeRevocation.state {
            case .active where now < paidUntil: state = .active
            case .active: state = .expired(stateBeforeRevocation.autoRenews ? .other : .customerCancelled)
            case .gracePeriod, .billingRetry: state = .expired(.billingError)
            case .expired, .revoked: state = stateBeforeRevocation.state
            }
        }
        return [.reinstate(period: number), .notify(.refundReversed, period: number)]
    }

    /// Ends a Family Sharing entitlement for good: a reversed refund does not restore it.
    mutating func endSharing() -> [SubscriptionAction] {
        guard ownership == .familyShared else { return [] }
        let wasRevoked = state == .revoked
        stateBeforeRevocation = nil
        state = .revoked
        autoRenews = false
        return wasRevoked ? [] : [.revoke(period: period.number, .family), notifyAction(.revoked)]
    }

    /// Whether the member has left the purchaser's family, or the purchaser has disabled Family Sharing.
    ///
    /// Only a refund can be reversed, not the end of sharing.
    var hasSharingEnded: Bool {
        ownership == .familyShared && state == .revoked && stateBeforeRevocation == nil
    }
}
