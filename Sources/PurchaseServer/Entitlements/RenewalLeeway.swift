import PurchaseModel
import PurchaseStorage

/// The limited time for which a subscription stays active after the end of its period while the renewal is unconfirmed.
///
/// The App Store renews a subscription before its period ends, and reports the renewal with a notification. If the notification is missing
/// and the App Store is unreachable, the renewal is unknown, and an unknown renewal must not end the customer's access. The leeway ends
/// with the App Store's answer to a look-up after the end of the period. The leeway is at most as long as the period, so that access to a
/// sandbox subscription with a short period also ends soon.
///
/// The leeway is not part of `EntitlementProjection`, whose only input is signed events.
struct RenewalLeeway: Sendable {
    /// The longest leeway in seconds; 0 for none.
    let seconds: Int64
    /// The environment of the App Store to which the server sends look-ups.
    let environment: AppEnvironment
    /// Starts a look-up when a leeway applies; nil for no look-up.
    let wakeup: Wakeup?

    /// Counts the answers that a leeway decides; nil to count none.
    var metrics: (server: ServerMetrics, app: BundleID)?

    /// No leeway, because a server without a key of the App Store Server API can't confirm a renewal.
    static let none = RenewalLeeway(seconds: 0, environment: .production, wakeup: nil)

    /// Returns the access that an unconfirmed renewal gives; nil for a confirmed renewal, for a renewal that is not expected, and after the
    /// leeway.
    func access(to entitlement: Entitlement, at now: Timestamp, in records: any StorageTransaction) throws -> Access? {
        guard let (end, until) = leeway(of: entitlement, at: now), let lookup = try records.lookup(of: entitlement.originalTransactionID),
            lookup.askedAt.map({ $0 < end }) ?? true,
            let events = try records.decidingEvents(of: entitlement.originalTransactionID), EntitlementProjection.statesRenewal(events)
        else { return nil }
        wakeup?.wake()
        if let metrics { metrics.server.add(to: .unconfirmedRenewals, ["app": metrics.app.rawValue]) }
        return Access(
            isGranted: true, state: .active, until: until,
            reason: "\(entitlement.source), signed \(entitlement.signedDate); the renewal of \(end) is expected and not confirmed")
    }

    /// Returns whether a leeway applies to an entitlement if its renewal is expected and unconfirmed.
    func canApply(to entitlement: Entitlement, at now: Timestamp) -> Bool { leeway(of: entitlement, at: now) != nil }

    /// Returns the end of the period and the end of the leeway; nil if `now` is not between the two dates.
    private func leeway(of entitlement: Entitlement, at now: Timestamp) -> (end: Timestamp, until: Timestamp)? {
        guard seconds > 0, case .active(let end) = entitlement.state, end <= now, entitlement.productType == .autoRenewable,
            environment.canBe(entitlement.environment)
        else { return nil }
        let period = max(0, end.milliseconds(since: entitlement.purchaseDate)) / 1_000
        let until = end.adding(seconds: min(seconds, period))
        return now < until ? (end, until) : nil
    }
}
