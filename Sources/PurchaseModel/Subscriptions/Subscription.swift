/// One customer's auto-renewable subscription as the store sees it: a value that decides, and leaves acting to its owner.
///
/// ```
///                 charge works                    card mended
///              ┌──────────────┐          ┌──────────────────────────┐
///              ▼              │          ▼                          │
///   bought → active ──period ends, charge fails──→ grace ──over──→ billing retry
///              │                                                    │
///              │ period ends, renewal off                 60 days over
///              ▼                                                    ▼
///           expired ←───────────────────────────────────────────────┘      any state ──refund──→ revoked
/// ```
public struct Subscription: Codable, Hashable, Sendable {
    /// Where a subscription stands.
    public enum State: Codable, Hashable, Sendable {
        /// Paid; ends or renews at ``Subscription/paidUntil``.
        case active
        /// The renewal could not be charged; the customer keeps access until `until`, the store tries until `retryUntil`.
        case gracePeriod(until: Timestamp, retryUntil: Timestamp)
        /// The renewal could not be charged and access has ended; the store tries until `until`.
        case billingRetry(until: Timestamp)
        /// Ended, and why.
        case expired(ExpirationIntent)
        /// Refunded.
        case revoked
    }

    /// How many days the store goes on trying to charge.
    public static let retryDays: Int64 = 60

    /// The first transaction, which names the subscription.
    public let originalTransactionID: TransactionID
    /// The product.
    public let productID: ProductID
    /// How long a paid period lasts.
    public let period: BillingPeriod
    /// Whether the store grants access for a while when a renewal fails.
    public let grantsGrace: Bool
    /// Where it stands.
    public private(set) var state: State
    /// The end of the newest paid period.
    public private(set) var paidUntil: Timestamp
    /// Whether it will renew.
    public private(set) var autoRenews: Bool

    /// A subscription just bought, whose first period starts at `start`.
    public init(
        originalTransactionID: TransactionID,
        productID: ProductID,
        period: BillingPeriod,
        start: Timestamp,
        grantsGrace: Bool = true
    ) {
        self.originalTransactionID = originalTransactionID
        self.productID = productID
        self.period = period
        self.grantsGrace = grantsGrace
        self.state = .active
        self.paidUntil = period.end(after: start)
        self.autoRenews = true
    }

    /// When something happens by itself next; nil when nothing will.
    public var nextDue: Timestamp? {
        switch state {
        case .active: paidUntil
        case .gracePeriod(let until, _): until
        case .billingRetry(let until): until
        case .expired, .revoked: nil
        }
    }

    /// The status on the wire: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
    public var status: Int {
        switch state {
        case .active: 1
        case .expired: 2
        case .billingRetry: 3
        case .gracePeriod: 4
        case .revoked: 5
        }
    }

    /// Takes what happened and answers with what to do about it, in order.
    ///
    /// Pure: the caller's clock decides when ``SubscriptionEvent/due(cardWorks:)`` is sent, and what is due earlier must be sent earlier.
    public mutating func handle(_ event: SubscriptionEvent, at now: Timestamp) -> [SubscriptionAction] {
        switch (event, state) {
        case (.due(let cardWorks), .active) where now >= paidUntil:
            return periodEnded(cardWorks: cardWorks)
        case (.due, .gracePeriod(let until, let retryUntil)) where now >= until:
            state = .billingRetry(until: retryUntil)
            return [.notify(.gracePeriodExpired)]
        case (.due, .billingRetry(let until)) where now >= until:
            state = .expired(.billingError)
            return [.notify(.expired(.billingError))]
        case (.cardMended, .gracePeriod):
            // Recovered in grace: the customer never lost access, so the billing cycle stays where it was.
            return renew(from: paidUntil, notice: .recovered)
        case (.cardMended, .billingRetry):
            return renew(from: now.wholeSeconds, notice: .recovered)
        case (.autoRenew(let on), .active) where on != autoRenews:
            autoRenews = on
            return [.notify(.autoRenewChanged(on))]
        case (.refunded, .active), (.refunded, .gracePeriod), (.refunded, .billingRetry), (.refunded, .expired):
            state = .revoked
            autoRenews = false
            return [.notify(.refunded)]
        case (.due, _), (.cardMended, _), (.autoRenew, _), (.refunded, .revoked):
            return []
        }
    }

    private mutating func periodEnded(cardWorks: Bool) -> [SubscriptionAction] {
        guard autoRenews else {
            state = .expired(.customerCancelled)
            return [.notify(.expired(.customerCancelled))]
        }
        guard !cardWorks else { return renew(from: paidUntil, notice: .renewed) }
        let retryUntil = paidUntil.adding(days: Self.retryDays)
        if grantsGrace {
            state = .gracePeriod(until: paidUntil.adding(days: period.unit == .week ? 6 : 16), retryUntil: retryUntil)
        } else {
            state = .billingRetry(until: retryUntil)
        }
        return [.notify(.failedToRenew(grace: grantsGrace))]
    }

    private mutating func renew(from start: Timestamp, notice: SubscriptionNotice) -> [SubscriptionAction] {
        state = .active
        paidUntil = period.end(after: start)
        return [.charge(from: start, until: paidUntil), .notify(notice)]
    }
}
