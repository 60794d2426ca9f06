extension Subscription {
    /// Processes the refund of the subscription period with a number, and returns the actions that follow.
    ///
    /// A refund of the newest period revokes the subscription: at once, or when the period begins if the store charged it ahead. A refund
    /// of an older period does not change the subscription.
    ///
    /// - Parameter percentage: The refunded part of the price, in thousandths of a percent; nil for the whole price.
    mutating func refund(_ number: Int, percentage: Int?, at now: Timestamp) -> [SubscriptionAction] {
        guard number >= 1, number <= period.number else { return [] }
        let isNewest = number == period.number
        if isNewest {
            guard state != .revoked, !isRevokedAtStart else { return [] }
            revokeNewestPeriod(at: now)
        }
        guard ownership == .purchased else {
            // A member receives no refund, and the developer's server is notified only when the member loses access.
            let losesAccess = isNewest || number == runningPeriod(at: now)
            return [.revoke(period: number, .lost(ownership))] + (losesAccess ? [.notify(.revoked, period: number)] : [])
        }
        let revocation: SubscriptionRevocation = percentage.map { .prorated($0) } ?? .full
        return [.revoke(period: number, revocation), .notify(.refunded, period: number)]
    }

    /// Reverses the refund of the subscription period with a number, and returns the actions that follow.
    ///
    /// When the refund of the newest period is reversed, the subscription returns to its state before the refund, or expires when the
    /// period has ended in the meantime. The renewal date does not change.
    mutating func reverseRefund(_ number: Int, at now: Timestamp) -> [SubscriptionAction] {
        guard number >= 1, number <= period.number else { return [] }
        if number == period.number, !restoreNewestPeriod(at: now) { return [] }
        return [.reinstate(period: number), .notify(.refundReversed, period: number)]
    }

    /// Revokes the subscription because its newest period was refunded: at once, or when the period begins if the store charged it ahead.
    mutating func revokeNewestPeriod(at now: Timestamp) {
        stateBeforeRevocation = StateBeforeRevocation(state: state, autoRenews: autoRenews)
        if state != .active || !isChargedAhead(at: now) { state = .revoked }
        autoRenews = false
    }

    /// Returns the subscription to its state before the refund of its newest period; false if that period is not refunded.
    mutating func restoreNewestPeriod(at now: Timestamp) -> Bool {
        guard state == .revoked || isRevokedAtStart, let stateBeforeRevocation else { return false }
        self.stateBeforeRevocation = nil
        autoRenews = stateBeforeRevocation.autoRenews
        // The state of a period that has not begun did not change.
        switch state == .revoked ? stateBeforeRevocation.state : state {
        case .active where now < paidUntil: state = .active
        case .active: state = .expired(stateBeforeRevocation.autoRenews ? .other : .customerCancelled)
        case .gracePeriod, .billingRetry: state = .expired(.billingError)
        case .expired, .revoked: state = stateBeforeRevocation.state
        }
        return true
    }

    /// Ends the entitlement of a family member or of a group's member permanently, so that the reversal of a refund does not restore it.
    ///
    /// The developer's server is notified about each revoked period, because the revocation of a period that has not begun says nothing
    /// about the running one.
    mutating func endSharing(at now: Timestamp) -> [SubscriptionAction] {
        guard ownership != .purchased else { return [] }
        let wasRevoked = state == .revoked
        let ended = [runningPeriod(at: now), isRevokedAtStart ? nil : period.number].compactMap { $0 }
        stateBeforeRevocation = nil
        state = .revoked
        autoRenews = false
        return wasRevoked ? [] : ended.map { .revoke(period: $0, .lost(ownership)) } + ended.map { .notify(.revoked, period: $0) }
    }

    /// Whether the family member has left the purchaser's family, the purchaser has disabled Family Sharing, or the member has left the group.
    ///
    /// A refund can be reversed, but the end of Family Sharing or of a membership cannot.
    var hasSharingEnded: Bool {
        ownership != .purchased && state == .revoked && stateBeforeRevocation == nil
    }
}
