/// A period of a purchase, with the signed events that determine its state; for a purchase without periods, all of the purchase.
public struct PurchasePeriod: Hashable, Sendable {
    /// The start of the period: the earliest start that its transactions state.
    public var start: Timestamp
    /// The newest version of the transaction of the period that is paid until the latest date.
    public var current: SignedEvent
    /// The newest revocation of the period, among the newest versions of its transactions, unless a refund was reversed later.
    public var revocation: SignedEvent?

    /// Creates a period with the events that determine its state.
    public init(start: Timestamp, current: SignedEvent, revocation: SignedEvent? = nil) {
        self.start = start
        self.current = current
        self.revocation = revocation
    }

    /// Creates the period of a purchase with one event.
    public init(first event: SignedEvent) {
        self.init(start: event.transaction.periodStart, current: event, revocation: event.transaction.isRevoked ? event : nil)
    }

    /// The end of the paid period; the start of a period without an end.
    var end: Timestamp { max(start, current.transaction.paidUntil) }

    /// The date from which the period is revoked; nil for a period that is not revoked.
    var revokedAt: Timestamp? { revocation.map { $0.transaction.revocationDate ?? start } }

    /// Whether several transactions represent the period, because the customer added seats.
    ///
    /// An unknown reason counts too, so that the revocation of one transaction does not end the access that another one gives.
    var hasAdditions: Bool { current.transaction.additionalTransactionReason != nil }

    /// Returns whether a period that starts later is an addition to this one.
    private func isExtended(by addition: PurchasePeriod) -> Bool {
        addition.hasAdditions && addition.start < end && addition.current.transaction.productId == current.transaction.productId
            && addition.current.transaction.reason != .renewal
    }

    /// Adds the seats of an addition to the period: the period is revoked when each of its transactions is revoked.
    private mutating func add(_ addition: PurchasePeriod) {
        revocation = revocation.flatMap { revocation in
            addition.revocation.map { revocation.transaction.isRevokedBefore($0.transaction) ? $0 : revocation }
        }
        let (old, new) = (current.transaction, addition.current.transaction)
        if old.isRevoked == new.isRevoked ? old.paidUntil < new.paidUntil : old.isRevoked { current = addition.current }
    }

    /// Returns the periods of a purchase, in which each addition of seats is part of the period that it extends.
    ///
    /// - Parameter charges: The periods by their charges, in the order of their starts.
    public static func combining(_ charges: [PurchasePeriod]) -> [PurchasePeriod] {
        var periods: [PurchasePeriod] = []
        for charge in charges {
            if let last = periods.indices.last, periods[last].isExtended(by: charge) {
                periods[last].add(charge)
            } else {
                periods.append(charge)
            }
        }
        return periods
    }
}

/// The signed events of a purchase that determine its entitlement.
///
/// A purchase can have thousands of signed events, of which few count: those of its latest periods, and the newest renewal info. A database
/// that finds these by index determines the entitlement at the same cost for a purchase with 10 events and with 10,000.
public struct DecidingEvents: Hashable, Sendable {
    /// The number of periods that can count: a period that was charged ahead, the period that it follows, and periods of another product
    /// that began in between.
    public static let periodLimit = 4

    /// The period that started last.
    public var latest: PurchasePeriod
    /// The periods that started before the latest one, at most ``periodLimit`` less one, in the order of their starts.
    public var earlier: [PurchasePeriod]
    /// The latest event that contains renewal info.
    public var renewal: SignedEvent?

    /// Creates the events that determine an entitlement.
    public init(latest: PurchasePeriod, earlier: [PurchasePeriod] = [], renewal: SignedEvent? = nil) {
        self.latest = latest
        self.earlier = earlier
        self.renewal = renewal
    }

    /// Creates the events that determine an entitlement from the latest periods of a purchase.
    ///
    /// The cost does not depend on the number of the purchase's periods, unless the customer added seats to the latest ones.
    ///
    /// - Parameters:
    ///   - renewal: The latest event that contains renewal info.
    ///   - charges: Returns the latest periods by their charges, in the order of their starts; at most the given number.
    /// - Returns: Nil for a purchase without periods.
    public init?(renewal: @autoclosure () throws -> SignedEvent?, latestCharges charges: (_ limit: Int) throws -> [PurchasePeriod]) rethrows {
        var limit = Self.periodLimit
        while true {
            let latest = try charges(limit)
            let periods = PurchasePeriod.combining(latest)
            // The first period can be an addition to a period that is not among the latest ones.
            let complete = periods.first?.hasAdditions == true && latest.count == limit ? periods.dropFirst() : periods[...]
            guard latest.count < limit || complete.count >= Self.periodLimit || limit >= Self.chargeLimit else {
                limit *= 4
                continue
            }
            var deciding = (complete.isEmpty ? periods[...] : complete).suffix(Self.periodLimit)
            guard let last = deciding.popLast() else { return nil }
            self.init(latest: last, earlier: Array(deciding), renewal: try renewal())
            return
        }
    }

    /// The maximum number of charges, including additions of seats, that count.
    private static let chargeLimit = 1_024

    /// Creates the events that determine the entitlement of a purchase with one event.
    public init(first event: SignedEvent) {
        self.init(latest: PurchasePeriod(first: event), renewal: event.renewal == nil ? nil : event)
    }

    /// Selects the events that determine the entitlement, from all signed events of one purchase; returns nil when there are no events.
    ///
    /// The order of the events and duplicates do not matter. The cost is linear.
    public init?(of events: some Sequence<SignedEvent>) {
        var selection = EventSelection()
        for event in events { selection.add(event) }
        guard let deciding = selection.decidingEvents else { return nil }
        self = deciding
    }

    /// All periods, in the order of their starts.
    public var periods: [PurchasePeriod] { earlier + [latest] }

    /// The events, each once.
    public var events: Set<SignedEvent> {
        Set(periods.flatMap { [$0.current, $0.revocation] }.compactMap { $0 } + [renewal].compactMap { $0 })
    }
}

/// Selects the deciding events of a purchase while its signed events are added one by one.
///
/// The result after each event is that of ``DecidingEvents/init(of:)`` with the events so far. Adding an event takes constant time, and a
/// selection takes time in proportion to the number of the purchase's periods.
public struct EventSelection: Sendable {
    private var newest: [TransactionID: SignedEvent] = [:]
    private var revoked: Set<TransactionID> = []
    // reason: the identifiers of periods are those of signed data, compared within one purchase.
    private var starts: [String: Timestamp] = [:]
    /// The transactions by the period that their newest version states.
    // reason: the identifiers of periods are those of signed data, compared within one purchase.
    private var members: [String: Set<TransactionID>] = [:]
    private var renewal: SignedEvent?

    /// Creates a selection without events.
    public init() {}

    /// Adds an event of the purchase.
    public mutating func add(_ event: SignedEvent) {
        let (period, start) = (event.transaction.periodID, event.transaction.periodStart)
        starts[period] = min(starts[period] ?? start, start)
        let id = event.transaction.transactionId
        if event.transaction.isRevoked { revoked.insert(id) }
        if event.renewal != nil, renewal.map({ $0.hasOlderRenewal(than: event) }) ?? true { renewal = event }
        let known = newest[id]
        guard known.map({ $0.hasOlderTransaction(than: event) }) ?? true else { return }
        newest[id] = event
        if let earlier = known?.transaction.periodID, earlier != period { members[earlier]?.remove(id) }
        members[period, default: []].insert(id)
    }

    /// The events that determine the entitlement after the events so far; nil before the first one.
    public var decidingEvents: DecidingEvents? {
        let all = members.compactMap { id, members in members.isEmpty ? nil : starts[id].map { (start: $0, id: id) } }
        let sorted = all.sorted { $0 < $1 }
        return DecidingEvents(renewal: renewal) { limit in
            sorted.suffix(limit).compactMap { period(of: members[$0.id, default: []].compactMap { newest[$0] }, from: $0.start) }
        }
    }

    private func period(of transactions: [SignedEvent], from start: Timestamp) -> PurchasePeriod? {
        // A transaction that is not revoked is preferred, so that the deciding events alone result in the same entitlement.
        let current = transactions.max { lhs, rhs in
            let (old, new) = (lhs.transaction, rhs.transaction)
            return old.isRevoked == new.isRevoked ? old.isPaidBefore(new) : old.isRevoked
        }
        guard let current else { return nil }
        // A restored purchase, or a repeated purchase of an already owned product, has several transactions. A refund notification contains
        // only the paid transaction, and revokes the other transactions of the same period too. In the same way, a notification of a
        // reversed refund ends all revocations that were signed before.
        let reversals = transactions.map(\.transaction).filter { !$0.isRevoked && revoked.contains($0.transactionId) }
        let reversal = reversals.map(\.signedDate).max()
        let revocation = transactions.filter { event in
            event.transaction.isRevoked && (reversal.map { event.transaction.signedDate > $0 } ?? true)
        }.max { $0.hasOlderTransaction(than: $1) }
        return PurchasePeriod(start: start, current: current, revocation: revocation)
    }
}

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
        return renewal.autoRenewProductId ?? current.productId
    }

    private static func state(of transaction: TransactionPayload, renewal: RenewalInfoPayload?) -> Entitlement.State {
        guard let expires = transaction.expiresDate else { return .owned }
        guard let renewal, concerns(renewal, of: transaction, until: expires) else { return .active(until: expires) }
        if renewal.isInBillingRetryPeriod == true {
            return renewal.gracePeriodExpiresDate.map { .gracePeriod(until: $0) } ?? .billingRetry
        }
        return renewal.expirationIntent == nil ? .active(until: expires) : .expired
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
