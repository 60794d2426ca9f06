import PurchaseModel

/// The limited time for which a subscription stays active after the end of its period, while nobody knows whether it was renewed.
///
/// The App Store renews a subscription before its period ends, and reports it with a notification. When the notification is missing and the
/// App Store can't be asked, the renewal is unknown, and an unknown renewal takes nothing away. The leeway ends when a look-up after the end
/// of the period has an answer. It is at most as long as the period, so that the short periods of the sandbox end soon, too.
struct RenewalLeeway: Sendable {
    /// The longest leeway in seconds; 0 for none.
    let seconds: Int64
    /// The environment whose App Store the server asks.
    let environment: AppEnvironment
    /// Called when a leeway applies, so that the App Store is asked soon.
    let onUse: @Sendable () -> Void

    /// The leeway of a server that can't ask the App Store, and therefore would never know more.
    static let none = RenewalLeeway(seconds: 0, environment: .production) {}

    /// Returns the access that an unconfirmed renewal gives; nil if the renewal is confirmed, or not expected, or overdue.
    func access(to entitlement: Entitlement, at now: Timestamp, in records: any StorageTransaction) throws -> Access? {
        guard let (end, until) = leeway(of: entitlement, at: now), let lookup = try records.lookup(of: entitlement.originalTransactionID),
            lookup.askedAt.map({ $0 < end }) ?? true,
            let events = try records.decidingEvents(of: entitlement.originalTransactionID), EntitlementProjection.statesRenewal(events)
        else { return nil }
        onUse()
        return Access(
            isGranted: true, state: .active, until: until,
            reason: "\(entitlement.source), signed \(entitlement.signedDate); the renewal of \(end) is expected and not confirmed")
    }

    /// Returns whether a leeway applies to an entitlement, provided that its renewal is expected and not confirmed.
    func canApply(to entitlement: Entitlement, at now: Timestamp) -> Bool { leeway(of: entitlement, at: now) != nil }

    /// Returns the end of the period and of its leeway; nil if `now` is not between them.
    private func leeway(of entitlement: Entitlement, at now: Timestamp) -> (end: Timestamp, until: Timestamp)? {
        guard seconds > 0, case .active(let end) = entitlement.state, end <= now, entitlement.productType == .autoRenewable,
            environment.canBe(entitlement.environment)
        else { return nil }
        let period = max(0, end.milliseconds(since: entitlement.purchaseDate)) / 1_000
        let until = end.adding(seconds: min(seconds, period))
        return now < until ? (end, until) : nil
    }
}
