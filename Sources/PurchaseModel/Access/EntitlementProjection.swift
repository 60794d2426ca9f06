/// The signed events of a purchase that determine its entitlement.
///
/// A purchase can have thousands of signed events, of which at most three count. A database that finds these three by index determines
/// the entitlement at the same cost for a purchase with 10 events and with 10,000.
public struct DecidingEvents: Hashable, Sendable {
    /// The newest version of the transaction of the latest period; for a purchase without periods, of the latest transaction.
    ///
    /// The period that started last is the latest, even if an earlier one would end later: an upgrade replaces the rest of a period, and a
    /// refund ends it.
    public var current: SignedEvent
    /// The newest revocation of the same period, among the newest versions of the purchase's transactions, unless a refund of the period
    /// was reversed later.
    public var revocation: SignedEvent?
    /// The latest event that contains renewal info.
    public var renewal: SignedEvent?

    /// Creates the events that determine an entitlement.
    public init(current: SignedEvent, revocation: SignedEvent? = nil, renewal: SignedEvent? = nil) {
        self.current = current
        self.revocation = revocation
        self.renewal = renewal
    }

    /// Creates the events that determine the entitlement of a purchase with one event.
    public init(first event: SignedEvent) {
        self.init(
            current: event, revocation: event.transaction.isRevoked ? event : nil, renewal: event.renewal == nil ? nil : event)
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
}

/// Selects the deciding events of a purchase while its signed events are added one by one.
///
/// The result after each event is that of ``DecidingEvents/init(of:)`` with the events so far. Adding an event takes constant time, and a
/// selection takes time in proportion to the number of the purchase's periods.
public struct EventSelection: Sendable {
    private var newest: [TransactionID: SignedEvent] = [:]
    private var revoked: Set<TransactionID> = []
    private var starts: [String: Timestamp] = [:]
    /// The transactions by the period that their newest version states.
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
        // The latest period determines the state. When it is refunded, no earlier period takes its place, because the refund ends the
        // subscription.
        let periods = members.compactMap { id, members in members.isEmpty ? nil : starts[id].map { (start: $0, id: id) } }
        guard let latest = periods.max(by: { $0 < $1 })?.id else { return nil }
        let transactions = members[latest, default: []].compactMap { newest[$0] }
        // A transaction that is not revoked is preferred, so that the deciding events alone result in the same entitlement.
        guard
            let current = transactions.max(by: { lhs, rhs in
                let (old, new) = (lhs.transaction, rhs.transaction)
                return old.isRevoked == new.isRevoked ? old.isPaidBefore(new) : old.isRevoked
            })
        else { return nil }
        // A restored purchase, or a repeated purchase of an already owned product, has several transactions. A refund notification contains
        // only the paid transaction, and revokes the other transactions of the same period too. In the same way, a notification of a
        // reversed refund ends all revocations that were signed before.
        let reversals = transactions.map(\.transaction).filter { !$0.isRevoked && revoked.contains($0.transactionId) }
        let reversal = reversals.map(\.signedDate).max()
        let revocation = transactions.filter { event in
            event.transaction.isRevoked && (reversal.map { event.transaction.signedDate > $0 } ?? true)
        }.max { $0.hasOlderTransaction(than: $1) }
        return DecidingEvents(current: current, revocation: revocation, renewal: renewal)
    }
}

/// The function that determines a customer's entitlement from the signed events of a purchase.
public enum EntitlementProjection {
    /// Returns the entitlement that results from the signed events of one purchase, or nil when there are no events.
    ///
    /// The newest version of each transaction and the newest renewal info count, by their signature dates. Late, duplicate and reordered
    /// notifications therefore result in the same entitlement. The cost is linear.
    public static func project(_ events: some Sequence<SignedEvent>) -> Entitlement? {
        DecidingEvents(of: events).map(entitlement(from:))
    }

    /// Returns the entitlement at a point in time, or nil when nothing had been purchased by then.
    ///
    /// A transaction counts from its purchase date and its revocation from the revocation date, whenever they were signed; renewal info
    /// counts from its signature date.
    public static func project(_ events: some Sequence<SignedEvent>, at date: Timestamp) -> Entitlement? {
        project(events.compactMap { $0.known(at: date) })
    }

    /// Returns the entitlement that results from the deciding events of a purchase.
    public static func entitlement(from events: DecidingEvents) -> Entitlement {
        let current = events.current.transaction
        let isRenewalNewer = events.renewal.map { events.current.isEarlier(than: $0) } ?? false
        let deciding = events.revocation ?? (isRenewalNewer ? events.renewal : nil) ?? events.current
        return Entitlement(
            originalTransactionID: current.originalTransactionId,
            productID: current.productId,
            state: events.revocation == nil ? state(of: current, renewal: events.renewal?.renewal) : .revoked,
            source: deciding.source,
            signedDate: deciding.signedDate,
            transactionID: current.transactionId,
            purchaseDate: current.purchaseDate,
            productType: current.productType,
            ownership: current.ownership,
            environment: current.environment,
            renewsTo: renewsTo(events)
        )
    }

    /// Returns whether signed renewal info states that the subscription renews at the end of its latest period.
    ///
    /// Without renewal info about that period, the result is false: nothing that is signed states a renewal.
    public static func statesRenewal(_ events: DecidingEvents) -> Bool {
        let current = events.current.transaction
        guard let renewal = events.renewal?.renewal, let expires = current.expiresDate, concerns(renewal, of: current, until: expires)
        else {
            return false
        }
        return renewal.autoRenewStatus == AutoRenewStatus.on.rawValue && renewal.isInBillingRetryPeriod != true && renewsTo(events) != nil
    }

    /// Returns the product to which the subscription renews at the end of its latest period; nil if it does not renew.
    private static func renewsTo(_ events: DecidingEvents) -> ProductID? {
        let current = events.current.transaction
        guard events.revocation == nil, current.productType == .autoRenewable, let expires = current.expiresDate else { return nil }
        guard let renewal = events.renewal?.renewal, concerns(renewal, of: current, until: expires) else { return current.productId }
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
