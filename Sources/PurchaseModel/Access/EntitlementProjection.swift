/// The function that determines a customer's entitlement from the signed events of a purchase.
///
/// The entitlement at a moment is that of the period that covers the moment. The periods are taken in the order of their starts, and each
/// one either takes over from the running period, follows it, or is dropped:
///
/// | period | begins |
/// |---|---|
/// | revoked before its start, and not after the start of the running period | never |
/// | starts after the running period has ended | at its start |
/// | purchased while another one runs: upgrade, crossgrade, new purchase | at its start, and ends the running period |
/// | renewal that was charged ahead | at the end of the running period |
/// | renewal that was charged ahead, and replaced by an upgrade before its start | never: the upgrade ends later |
/// | marked as upgraded, while the period that replaced it runs | never |
/// | renewal more than a day after the start of the running period, whose product newer renewal info names | at its start |
/// | renewal more than a day after the start of the running period that would end before it | at its start |
/// | renewal that was itself renewed, although a period of another product seems to run | at its start |
/// | renewal more than a day after the purchase of a period that was refunded before | at its start |
///
/// A renewal whose transaction states no reason (before 2023, and in receipts) starts exactly when another period ends. A refund of the
/// running period leaves no access to earlier periods, because it ends the subscription. A refund of a period that has not begun takes
/// nothing from the running one.
public enum EntitlementProjection {
    /// The longest time in milliseconds between the charge of a renewal and its period: a day, and an hour for attempts at the edge of the day.
    package static let chargedAhead: Int64 = 25 * 3_600 * 1_000
    /// The longest time in milliseconds between a period and the renewal that follows it without a gap.
    private static let gap: Int64 = 60_000

    /// Returns the entitlements that result from the signed events of one purchase, or nil when there are no events.
    ///
    /// The newest version of each transaction and the newest renewal info count, by their signature dates. Late, duplicate and reordered
    /// notifications therefore result in the same entitlements. The cost is linear.
    public static func timeline(_ events: some Sequence<SignedEvent>) -> EntitlementTimeline? {
        DecidingEvents(of: events).map(timeline(from:))
    }

    /// Returns the entitlement at a point in time, or nil when nothing had been purchased by then.
    ///
    /// A transaction counts from its purchase date, or from its signature date if that is earlier, and its revocation from the revocation
    /// date, whenever they were signed; renewal info counts from its signature date.
    public static func project(_ events: some Sequence<SignedEvent>, at date: Timestamp) -> Entitlement? {
        timeline(events.compactMap { $0.known(at: date) })?.entitlement(at: date)
    }

    /// Returns the entitlements that result from the deciding events of a purchase.
    public static func timeline(from events: DecidingEvents) -> EntitlementTimeline {
        timeline(of: segments(of: events), events.renewal)
    }

    /// Returns the entitlements that result from the deciding events of a purchase, and the latest period that counts.
    public static func timelineAndPeriod(
        from events: DecidingEvents
    ) -> (timeline: EntitlementTimeline, latest: PurchasePeriod) {
        let segments = segments(of: events)
        return (timeline(of: segments, events.renewal), segments.latest)
    }

    /// Returns those of the deciding events from which the same entitlements follow.
    public static func evidence(of events: DecidingEvents) -> DecidingEvents {
        let segments = segments(of: events)
        let earlier = segments.isAhead ? [segments.preceding].compactMap { $0 } : []
        let few = DecidingEvents(latest: segments.latest, earlier: earlier, renewal: events.renewal)
        return timeline(from: few) == timeline(from: events) ? few : events
    }

    /// Returns whether signed renewal info states that the subscription renews at the end of its latest period.
    ///
    /// Without renewal info about that period, the result is false: nothing that is signed states a renewal.
    public static func statesRenewal(_ events: DecidingEvents) -> Bool {
        let latest = segments(of: events).latest
        guard let renewal = events.renewal?.renewal, let expires = latest.current.transaction.expiresDate,
            concerns(renewal, of: latest.current.transaction, until: expires)
        else {
            return false
        }
        return renewal.autoRenewStatus == AutoRenewStatus.on.rawValue && renewal.isInBillingRetryPeriod != true
            && renewsTo(latest, renewal) != nil
    }

    /// The latest period that counts, and the period that runs until it begins.
    private struct Segments {
        var latest: PurchasePeriod
        /// Whether the latest period is a renewal.
        var isRenewal: Bool
        /// The date from which the latest period counts.
        var begin: Timestamp
        /// The period before, if the latest one is a renewal that follows it without a gap.
        var preceding: PurchasePeriod?

        /// Whether ``begin`` affects the entitlements: the latest period was revoked before that date, or it is not revoked and the preceding
        /// period was revoked or has another product.
        var isAhead: Bool {
            guard let preceding else { return false }
            if let revokedAt = latest.revokedAt { return revokedAt < begin }
            return preceding.revocation != nil || preceding.current.transaction.productId != latest.current.transaction.productId
        }
    }

    private static func segments(of events: DecidingEvents) -> Segments {
        let periods = sorted(events.periods)
        let first = periods.first ?? Candidate(period: events.latest, isRenewal: false, isFollowed: false)
        return periods.dropFirst().reduce(Segments(latest: first.period, isRenewal: first.isRenewal, begin: first.period.start)) {
            running, next in
            guard let begin = begin(of: next, after: running, events.renewal?.renewal) else {
                return running
            }
            let follows = next.isRenewal && begin <= running.latest.end.adding(milliseconds: gap)
            return Segments(
                latest: next.period, isRenewal: next.isRenewal, begin: begin, preceding: follows ? running.latest : nil)
        }
    }

    /// A period, and what the other periods show about it.
    private struct Candidate {
        let period: PurchasePeriod
        /// Whether the App Store charged the period as a renewal.
        let isRenewal: Bool
        /// Whether another period starts when the period ends, so that the period ran to its end.
        let isFollowed: Bool
    }

    /// Returns the periods in the order of their starts.
    ///
    /// Of two periods with the same start, the renewal comes first, because the purchase replaces it.
    private static func sorted(_ periods: [PurchasePeriod]) -> [Candidate] {
        let starts = Set(periods.map(\.start))
        let ends = Set(periods.filter { $0.end > $0.start }.map(\.end))
        return periods.map { period in
            let isFollowed = period.end > period.start && starts.contains(period.end)
            // A restored transaction of the period has a later date, and its reason is not that of the charge.
            let isRestored = period.current.transaction.purchaseDate > period.start
            if !isRestored, let reason = period.current.transaction.transactionReason {
                return Candidate(period: period, isRenewal: reason == TransactionReason.renewal.rawValue, isFollowed: isFollowed)
            }
            // An upgrade of the day before that was renewed later has replaced the period, although the period before is not known.
            let isReplaced = periods.contains { upgrade in
                upgrade.start < period.start && period.start < upgrade.end && starts.contains(upgrade.end)
                    && period.start.milliseconds(since: upgrade.start) <= chargedAhead
                    && upgrade.end.milliseconds(since: upgrade.start) > chargedAhead
            }
            return Candidate(period: period, isRenewal: isReplaced || ends.contains(period.start), isFollowed: isFollowed)
        }.sorted { lhs, rhs in
            if lhs.period.start != rhs.period.start { return lhs.period.start < rhs.period.start }
            if lhs.isRenewal != rhs.isRenewal { return lhs.isRenewal }
            return lhs.period.current.transaction.periodID < rhs.period.current.transaction.periodID
        }
    }

    /// Returns the date from which a period counts after the running one; nil if it never does.
    private static func begin(of candidate: Candidate, after segments: Segments, _ renewal: RenewalInfoPayload?) -> Timestamp? {
        let (next, running) = (candidate.period, segments.latest)
        let (transaction, runningTransaction) = (next.current.transaction, running.current.transaction)
        // The App Store can revoke a charged-ahead period, or its copy for a family member, and sell another product before its start.
        if let revokedAt = next.revokedAt, revokedAt < next.start, revokedAt <= running.start { return nil }
        guard next.start.adding(milliseconds: gap) < running.end else { return next.start }
        if transaction.isUpgraded == true, runningTransaction.isUpgraded != true { return nil }
        let isReplaced = runningTransaction.isUpgraded == true && transaction.isUpgraded != true
        guard candidate.isRenewal, !candidate.isFollowed, !isReplaced else { return next.start }
        // Later renewal info can name the product of a replaced renewal again, so that it does not count within a day of an upgrade.
        guard next.start.milliseconds(since: running.start) > chargedAhead else {
            return segments.isRenewal && running.end < next.end ? running.end : nil
        }
        if let renewal, renewal.signedDate >= next.start, let product = renewal.productId, product == transaction.productId,
            product != runningTransaction.productId
        {
            return next.start
        }
        if let revokedAt = running.revokedAt, revokedAt <= next.start { return next.start }
        // An extension delays the renewal; a period that would end before the running one shows that an upgrade before it is missing.
        return running.end < next.end ? running.end : next.start
    }

    private static func timeline(of segments: Segments, _ renewal: SignedEvent?) -> EntitlementTimeline {
        let latest = entitlement(of: segments.latest, renewal)
        guard segments.isAhead, let preceding = segments.preceding else { return EntitlementTimeline(latest: latest) }
        var before = entitlement(of: preceding, nil)
        if preceding.revocation == nil {
            before.state = .active(until: segments.begin)
            before.renewsTo = segments.latest.revocation == nil ? latest.productID : nil
        }
        return EntitlementTimeline(latest: latest, preceding: EntitlementTimeline.Preceding(entitlement: before, until: segments.begin))
    }

    private static func entitlement(of period: PurchasePeriod, _ renewal: SignedEvent?) -> Entitlement {
        let current = period.current.transaction
        let isRenewalNewer = renewal.map { period.current.isEarlier(than: $0) } ?? false
        let deciding = period.revocation ?? (isRenewalNewer ? renewal : nil) ?? period.current
        return Entitlement(
            originalTransactionID: current.originalTransactionId,
            productID: current.productId,
            state: period.revocation == nil ? state(of: current, renewal: renewal?.renewal) : .revoked,
            source: deciding.source,
            signedDate: deciding.signedDate,
            transactionID: current.transactionId,
            purchaseDate: current.purchaseDate,
            productType: current.productType,
            ownership: current.ownership,
            environment: current.environment,
            renewsTo: renewsTo(period, renewal?.renewal)
        )
    }

    /// Returns the product to which the subscription renews at the end of a period; nil if it does not renew.
    private static func renewsTo(_ period: PurchasePeriod, _ renewal: RenewalInfoPayload?) -> ProductID? {
        let current = period.current.transaction
        guard period.revocation == nil, current.productType == .autoRenewable, let expires = current.expiresDate else { return nil }
        guard let renewal, concerns(renewal, of: current, until: expires) else { return current.productId }
        guard renewal.autoRenewStatus != AutoRenewStatus.off.rawValue, renewal.expirationIntent == nil else { return nil }
        // In a commitment, the auto-renew status concerns the monthly charges; the commitment's status concerns the renewal after the last.
        if current.isLastOfCommitment, let commitment = renewal.commitmentInfo {
            return commitment.autoRenewStatus == .off ? nil : commitment.commitmentAutoRenewProductId ?? current.productId
        }
        return renewal.autoRenewProductId ?? current.productId
    }

    private static func state(of transaction: TransactionPayload, renewal: RenewalInfoPayload?) -> Entitlement.State {
        guard let expires = transaction.expiresDate else { return .owned }
        guard let renewal, concerns(renewal, of: transaction, until: expires) else { return .active(until: expires) }
        if renewal.isInBillingRetryPeriod == true {
            return renewal.gracePeriodExpiresDate.map { .gracePeriod(until: $0) } ?? .billingRetry
        }
        // An unknown expiration intent does not end a paid period before its end.
        return renewal.expirationReason == nil ? .active(until: expires) : .expired
    }

    /// Returns whether renewal info concerns the newest period of a subscription, which `transaction` started, and not an earlier period.
    ///
    /// Renewal info with an earlier signature date than the transaction can concern the newest period too, because the store can sign the
    /// transaction again later. In this case the renewal date decides.
    private static func concerns(_ renewal: RenewalInfoPayload, of transaction: TransactionPayload, until expires: Timestamp) -> Bool {
        if renewal.signedDate >= transaction.signedDate { return true }
        guard let renewalDate = renewal.renewalDate else { return renewal.signedDate > transaction.purchaseDate }
        return renewalDate >= expires
    }
}
