/// A period of a purchase, with the signed events that determine its state; for a purchase without periods, all of the purchase.
public struct PurchasePeriod: Hashable, Sendable {
    /// The start of the period: the earliest start that its transactions state.
    public var start: Timestamp
    /// The newest version of the transaction of the period that is paid until the latest date.
    public var current: SignedEvent
    /// The newest revocation of the period, among the newest versions of its transactions, unless a refund was reversed later.
    public var revocation: SignedEvent?

    /// Creates a period with the events that determine its state.
    ///
    /// - Parameters:
    ///   - start: The start of the period.
    ///   - current: The newest version of a transaction that is not revoked, or of a revoked one if each of them is revoked.
    ///   - revocation: The newest revocation of a transaction. A period with added seats drops it unless `current` is revoked too.
    public init(start: Timestamp, current: SignedEvent, revocation: SignedEvent? = nil) {
        self.start = start
        self.current = current
        let statesAdditions = [current, revocation].contains { $0?.transaction.additionalTransactionReason != nil }
        self.revocation = statesAdditions && !current.transaction.isRevoked ? nil : revocation
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

    /// Adds the seats of an addition to the period: the period is revoked when each of its transactions is revoked.
    mutating func add(_ addition: PurchasePeriod) {
        revocation = revocation.flatMap { revocation in
            addition.revocation.map { revocation.transaction.isRevokedBefore($0.transaction) ? $0 : revocation }
        }
        let (old, new) = (current.transaction, addition.current.transaction)
        if old.isRevoked == new.isRevoked ? old.paidUntil < new.paidUntil : old.isRevoked { current = addition.current }
    }
}

extension PurchasePeriod: ChargedPeriod {
    var charge: TransactionPayload { current.transaction }

    func agrees(with addition: TransactionPayload) -> Bool { current.transaction.agrees(with: addition) }
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
    public init?(renewal: @autoclosure () throws -> SignedEvent?, latestCharges charges: (_ limit: Int) throws -> [PurchasePeriod]) rethrows
    {
        var limit = Self.periodLimit
        while true {
            let latest = try charges(limit)
            let (periods, hasOpenAddition) = PurchasePeriod.combining(latest)
            let isComplete = latest.count < limit || limit >= Self.chargeLimit
            guard isComplete || (!hasOpenAddition && periods.count >= Self.periodLimit) else {
                limit *= 4
                continue
            }
            var deciding = periods.suffix(Self.periodLimit)
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
