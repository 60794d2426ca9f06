extension Subscription {
    /// The refund of the newest period ends everything; that of an older one changes nothing here.
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
            // A member is paid nothing back, and is told only of what is lost.
            return [.revoke(period: number, .family)] + (isNewest ? [.notify(.revoked, period: number)] : [])
        }
        // Of an older period no time is left.
        let end = isNewest ? paidUntil : now
        let revocation: SubscriptionRevocation =
            prorated ? .prorated(from: isNewest ? period.start : now, to: end, at: now) : .full
        return [.revoke(period: number, revocation), .notify(.refunded, period: number)]
    }

    /// Undoes a refund: back to what it was where its period still lasts, and to ended where not.
    ///
    /// The renewal date stays.
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

    /// Takes a member's copy away for good: no reversed refund brings it back.
    mutating func endSharing() -> [SubscriptionAction] {
        guard ownership == .familyShared else { return [] }
        let wasRevoked = state == .revoked
        stateBeforeRevocation = nil
        state = .revoked
        autoRenews = false
        return wasRevoked ? [] : [.revoke(period: period.number, .family), tell(.revoked)]
    }

    /// Whether the purchaser's family no longer includes the member, or the purchaser no longer shares.
    ///
    /// A refund alone can be reversed.
    var hasSharingEnded: Bool {
        ownership == .familyShared && state == .revoked && stateBeforeRevocation == nil
    }
}
