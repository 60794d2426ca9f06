extension Subscription {
    /// Whether the newest subscription period begins after `now`, because the store charged its renewal ahead.
    ///
    /// The preceding period then continues until the newest period begins.
    public func isChargedAhead(at now: Timestamp) -> Bool {
        period.start > now
    }

    /// Whether the newest subscription period was refunded before its start, and the preceding period still continues.
    ///
    /// The subscription is revoked when the refunded period begins.
    package var isRevokedAtStart: Bool {
        state == .active && stateBeforeRevocation != nil
    }

    /// The date at which the store charges the next renewal ahead of its period; nil if the renewal is charged at the end of the period.
    ///
    /// The store does not charge two renewals ahead: a period that is not longer than ``SubscriptionRules/chargeAhead`` is renewed at its
    /// end. A renewal that could not be charged ahead is charged at the end of the period, too.
    var chargeAheadDate: Timestamp? {
        guard autoRenews || isCommitted, let seconds = rules.chargeAhead, seconds > 0 else { return nil }
        let date = paidUntil.adding(seconds: -min(seconds, SubscriptionRules.maximumChargeAhead))
        return date > max(period.start, handledUntil) ? date : nil
    }

    /// Returns whether the store can charge the next renewal at `now`, ahead of its period.
    ///
    /// - Parameters:
    ///   - now: The present.
    ///   - hasValidPaymentMethod: Whether the account's payment method is valid.
    public func canChargeAhead(at now: Timestamp, hasValidPaymentMethod: Bool = true) -> Bool {
        guard state == .active, autoRenews || isCommitted, hasValidPaymentMethod, !isRevokedAtStart, !isChargedAhead(at: now) else {
            return false
        }
        guard !isConsentMissing, unbundling != .expires, now < paidUntil else { return false }
        return paidUntil <= now.adding(seconds: SubscriptionRules.maximumChargeAhead)
    }

    /// Charges the next renewal at `now`, ahead of its period; the running period continues until its end.
    ///
    /// Without a valid payment method, without the product, or without the customer's consent, nothing happens until the end of the period.
    mutating func chargeAhead(at now: Timestamp, hasValidPaymentMethod: Bool, isProductAvailable: Bool = true) -> [SubscriptionAction] {
        guard canChargeAhead(at: now, hasValidPaymentMethod: hasValidPaymentMethod), isProductAvailable || isCommitted,
            renew(from: paidUntil)
        else {
            return []
        }
        return completeRenewal(.renewed)
    }

    /// Sets how long before its period the store charges a renewal.
    ///
    /// A period that is already nearer to its end than that is renewed at its end.
    ///
    /// - Parameters:
    ///   - seconds: The number of seconds, or nil to charge each renewal when its period begins.
    ///   - now: The present.
    public mutating func setChargeAhead(_ seconds: Int64?, at now: Timestamp) {
        rules.chargeAhead = seconds
        handledUntil = max(handledUntil, now)
    }
}
