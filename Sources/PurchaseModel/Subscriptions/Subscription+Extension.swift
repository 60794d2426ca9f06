extension Subscription {
    /// The number of days by which one extension can move the renewal date.
    public static let extensionDays = 1...90

    /// Returns the reason that the renewal date cannot be extended by a number of days, or nil when it can be extended.
    public func refusal(ofExtensionBy days: Int, at now: Timestamp) -> ExtensionRefusal? {
        guard Self.extensionDays.contains(days) else { return .invalidDays }
        switch state {
        case .active where isRevokedAtStart: return .revoked
        case .active where paidUntil <= now: return .expired
        case .active: break
        case .gracePeriod: return .gracePeriod
        case .billingRetry: return .billingRetry
        case .expired: return .expired
        case .revoked: return .revoked
        }
        guard !isFree else { return .freePeriod }
        guard recentExtensions(at: now).count < 2 else { return .extensionLimitReached }
        // This check comes last, because `extend(days:at:)` ignores this reason: the purchaser's extension also extends the entitlement.
        return ownership == .purchased ? nil : .familyShared
    }

    mutating func extend(days: Int, at now: Timestamp) -> [SubscriptionAction] {
        switch refusal(ofExtensionBy: days, at: now) {
        case nil, .familyShared: break
        case .invalidDays, .freePeriod, .gracePeriod, .billingRetry, .expired, .revoked, .extensionLimitReached: return []
        }
        guard let length = BillingPeriod(days, .day) else { return [] }
        let end = rules.timeRate.end(of: length, after: paidUntil)
        guard end > paidUntil else { return [] }
        paidUntil = end
        extensions = recentExtensions(at: now) + [now]
        return [.setExpirationDate(period: period.number, to: end), notifyAction(.extended)]
    }

    private func recentExtensions(at now: Timestamp) -> [Timestamp] {
        extensions.filter { now < $0.adding(days: 365) }
    }
}
