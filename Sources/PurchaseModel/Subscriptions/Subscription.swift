/// One customer's subscription in one subscription group: a value that decides on actions, which its owner carries out.
///
/// A subscription has no clock and no randomness. The owner sends events with ``handle(_:at:)``, and carries out the returned actions.
/// `docs/subscriptions.md` has the state diagram.
///
/// A Family Sharing entitlement is a separate subscription, which receives the purchaser's events and is never charged.
public struct Subscription: Hashable, Sendable {
    /// The state of a subscription.
    public enum State: Hashable, Sendable {
        /// The period is paid; the subscription expires or renews at ``Subscription/paidUntil``.
        case active
        /// The payment method declined the renewal; access continues until `until`, and the store retries until `retryUntil`.
        case gracePeriod(until: Timestamp, retryUntil: Timestamp)
        /// The payment method declined the renewal and access has ended; the store retries until `until`.
        case billingRetry(until: Timestamp)
        /// The subscription expired, with the reason.
        case expired(ExpirationIntent)
        /// The subscription was refunded, or is no longer shared.
        case revoked
    }

    /// The state before a refund, which a reversed refund restores.
    package struct StateBeforeRevocation: Hashable, Sendable {
        package var state: State
        package var autoRenews: Bool

        package init(state: State, autoRenews: Bool) {
            self.state = state
            self.autoRenews = autoRenews
        }
    }

    /// The identifier of the first transaction, which identifies the subscription.
    public let originalTransactionID: TransactionID
    /// Whether the customer purchased the subscription, or receives it through Family Sharing.
    public let ownership: Ownership
    /// The store's rules for the subscription.
    public var rules: SubscriptionRules
    /// The app account token of the next renewal.
    public var appAccountToken: CustomerID?
    /// The app transaction identifier, which is unique to each customer and app and never changes.
    public var appTransactionID: String?

    /// The current state.
    public internal(set) var state: State
    /// The newest period, as charged.
    public internal(set) var period: SubscriptionPeriod
    /// The end of the newest period, including every change to the renewal date.
    public internal(set) var paidUntil: Timestamp
    /// The current plan, with the regular price of its next renewal.
    public internal(set) var plan: SubscriptionPlan
    /// Whether auto-renew is enabled.
    public internal(set) var autoRenews: Bool
    /// The plan that replaces ``plan`` at the next renewal.
    public internal(set) var pendingPlan: SubscriptionPlan?
    /// The offer that begins at the next renewal.
    public internal(set) var pendingOffer: SubscriptionOffer?
    /// The pending price increase.
    public internal(set) var priceIncrease: PriceIncrease?
    /// The start of the newest run of paid service without a long gap.
    public internal(set) var recentSubscriptionStartDate: Timestamp
    /// Whether the customer has used an introductory offer of the subscription group.
    public internal(set) var hasUsedIntroductoryOffer: Bool
    /// The number of renewals since the customer's latest purchase.
    public internal(set) var renewals: Int

    /// The dates of renewal date extensions that still count toward the limit.
    package internal(set) var extensions: [Timestamp] = []
    /// The state before the refund of the newest period; nil without a refund.
    package internal(set) var stateBeforeRevocation: StateBeforeRevocation?
    /// The latest time of a processed event; an event with an earlier time takes effect at this time.
    package internal(set) var handledUntil: Timestamp

    /// Creates a subscription for a first purchase, and returns the actions that follow.
    public static func begin(
        originalTransactionID: TransactionID,
        purchase: SubscriptionPurchase,
        at now: Timestamp,
        rules: SubscriptionRules = SubscriptionRules(),
        ownership: Ownership = .purchased
    ) -> (subscription: Subscription, actions: [SubscriptionAction]) {
        let subscription = Subscription(originalTransactionID, purchase, at: now, rules, ownership)
        return (subscription, [.charge(subscription.period), .notify(.subscribed, period: subscription.period.number)])
    }

    private init(
        _ id: TransactionID, _ purchase: SubscriptionPurchase, at now: Timestamp, _ rules: SubscriptionRules, _ ownership: Ownership
    ) {
        let start = rules.transactionDate(now)
        originalTransactionID = id
        self.ownership = ownership
        self.rules = rules
        state = .active
        plan = purchase.plan
        autoRenews = true
        pendingOffer = purchase.followingOffer
        recentSubscriptionStartDate = start
        hasUsedIntroductoryOffer = purchase.offer?.kind == .introductory
        renewals = 0
        handledUntil = start
        period = Self.period(1, of: purchase.plan, purchase.offer.map { AppliedOffer($0) }, from: start, .purchase, rules, ownership)
        paidUntil = period.end
    }

    /// The identifier of the current product.
    public var productID: ProductID { plan.productID }

    /// The date of the next renewal, expiration or other automatic change; nil when none is scheduled.
    public var nextRenewalDate: Timestamp? {
        switch state {
        case .active: paidUntil
        case .gracePeriod(let until, _): until
        case .billingRetry(let until): until
        case .expired, .revoked: nil
        }
    }

    /// The status in signed data: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
    public var status: Int { subscriptionStatus.rawValue }

    /// The status in signed data.
    public var subscriptionStatus: SubscriptionStatus {
        switch state {
        case .active: .active
        case .expired: .expired
        case .billingRetry: .billingRetry
        case .gracePeriod: .gracePeriod
        case .revoked: .revoked
        }
    }
}
