/// A customer's subscription in a subscription group, as a state machine without side effects.
///
/// The local store sends events to ``handle(_:at:)``, and carries out the returned actions, such as charges and notifications. A
/// subscription has no clock and no randomness. `docs/subscriptions.md` contains the state diagram.
///
/// A Family Sharing entitlement is a separate subscription, which receives the purchaser's events and is never charged.
public struct Subscription: Hashable, Sendable {
    /// The state of a subscription.
    public enum State: Hashable, Sendable {
        /// The newest period is paid; the subscription expires or renews at ``Subscription/paidUntil``.
        ///
        /// The newest period can begin later: see ``Subscription/isChargedAhead(at:)``.
        case active
        /// The payment method declined the renewal; access continues until `until`, and the store retries the charge until `retryUntil`.
        case gracePeriod(until: Timestamp, retryUntil: Timestamp)
        /// The payment method declined the renewal and access has ended; the store retries the charge until `until`.
        case billingRetry(until: Timestamp)
        /// The subscription expired for this reason.
        case expired(ExpirationIntent)
        /// The subscription was refunded, or is no longer available through Family Sharing.
        case revoked
    }

    /// The state of a subscription before a refund, which the reversal of the refund restores.
    package struct StateBeforeRevocation: Hashable, Sendable {
        package var state: State
        package var autoRenews: Bool

        package init(state: State, autoRenews: Bool) {
            self.state = state
            self.autoRenews = autoRenews
        }
    }

    /// The identifier of the subscription's first transaction, which identifies the subscription.
    public let originalTransactionID: TransactionID
    /// Whether the customer purchased the subscription, or receives it through Family Sharing.
    public let ownership: Ownership
    /// The store's rules for the subscription.
    public var rules: SubscriptionRules
    /// The app account token that the transaction of the next renewal will have.
    public var appAccountToken: CustomerID?
    /// The app transaction identifier, which is unique to each customer and app and never changes.
    public var appTransactionID: String?

    /// The current state of the subscription.
    public internal(set) var state: State
    /// The newest subscription period, with its charged price and its original end.
    public internal(set) var period: SubscriptionPeriod
    /// The end of the newest subscription period, including all changes such as an extension of the renewal date.
    public internal(set) var paidUntil: Timestamp
    /// The current plan, with its regular price at the next renewal.
    public internal(set) var plan: SubscriptionPlan
    /// Whether auto-renew is enabled.
    public internal(set) var autoRenews: Bool
    /// The plan that replaces ``plan`` at the next renewal; nil when the plan does not change.
    public internal(set) var pendingPlan: SubscriptionPlan?
    /// The redeemed offer that has not begun yet; nil when no offer is waiting.
    public internal(set) var pendingOffer: SubscriptionOffer?
    /// The price increase that takes effect at the next renewal; nil when the price does not increase.
    public internal(set) var priceIncrease: PriceIncrease?
    /// The start of the customer's paid service, ignoring gaps up to ``SubscriptionRules/maximumServiceGap``.
    public internal(set) var recentSubscriptionStartDate: Timestamp
    /// Whether the customer has used an introductory offer of the subscription group.
    public internal(set) var hasUsedIntroductoryOffer: Bool
    /// The seats of the subscription; nil for a subscription without seats.
    public internal(set) var seats: SubscriptionSeats?
    /// The continuation after the bundle, which the subscription leaves at the end of the period; nil for one that stays in its bundle.
    public internal(set) var unbundling: Unbundling?
    /// The number of renewals since the customer's latest purchase.
    public internal(set) var renewals: Int
    /// The day of the month to which renewals return, if the newest period starts on an earlier day because its month is shorter.
    ///
    /// A monthly subscription that starts on January 31 renews on February 28 and on March 31. The value is nil if the newest period starts
    /// on the day of the month on which the billing cycle started.
    package internal(set) var billingDay: Int?

    /// The dates of the latest renewal date extensions, which count toward the limit of two extensions within 365 days.
    package internal(set) var extensions: [Timestamp] = []
    /// The state of the subscription before the refund of its newest period; nil without a refund.
    package internal(set) var stateBeforeRevocation: StateBeforeRevocation?
    /// The time of the latest processed event; an event with an earlier time takes effect at this time.
    package internal(set) var handledUntil: Timestamp

    /// Creates a subscription for a customer's first purchase in a subscription group, and returns the actions that follow.
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
        seats = purchase.plan.seatPricing == nil ? nil : SubscriptionSeats(purchased: max(1, purchase.seats ?? 1))
        period = Self.period(
            1, of: purchase.plan, purchase.offer.map { AppliedOffer($0) }, from: start, .purchase, rules, ownership, seats: seats?.purchased
        )
        paidUntil = period.end
    }

    /// The identifier of the current product.
    public var productID: ProductID { plan.productID }

    /// The date of the next renewal, expiration or other automatic change; nil when no change is scheduled.
    public var nextRenewalDate: Timestamp? {
        switch state {
        // The seats of a period that was charged ahead take effect when it begins.
        case .active: isRevokedAtStart || seats != nil && handledUntil < period.start ? period.start : chargeAheadDate ?? paidUntil
        case .gracePeriod(let until, _): until
        case .billingRetry(let until): until
        case .expired, .revoked: nil
        }
    }

    /// The subscription status in notifications and API responses.
    public var status: SubscriptionStatus {
        switch state {
        case .active: .active
        case .expired: .expired
        case .billingRetry: .billingRetry
        case .gracePeriod: .gracePeriod
        case .revoked: .revoked
        }
    }
}
