/// One customer's subscription in one group as the store sees it: a value that decides, and leaves acting to its owner.
///
/// It has no clock and no randomness. Its owner sends what happens by ``handle(_:at:)``, and does what the answer says.
/// `docs/subscriptions.md` has the diagram of its states.
///
/// A family member's copy is a subscription of its own, which is sent the purchaser's events, and is never charged.
public struct Subscription: Hashable, Sendable {
    /// Where a subscription stands.
    public enum State: Hashable, Sendable {
        /// Paid; ends or renews at ``Subscription/paidUntil``.
        case active
        /// The renewal could not be charged; the customer keeps access until `until`, the store tries until `retryUntil`.
        case gracePeriod(until: Timestamp, retryUntil: Timestamp)
        /// The renewal could not be charged and access has ended; the store tries until `until`.
        case billingRetry(until: Timestamp)
        /// Ended, and why.
        case expired(ExpirationIntent)
        /// Refunded, or no longer shared.
        case revoked
    }

    /// What a refund took, to be given back when it is reversed.
    package struct StateBeforeRevocation: Hashable, Sendable {
        package var state: State
        package var autoRenews: Bool

        package init(state: State, autoRenews: Bool) {
            self.state = state
            self.autoRenews = autoRenews
        }
    }

    /// The first transaction, which names the subscription.
    public let originalTransactionID: TransactionID
    /// Whether the customer bought it, or shares the purchase of a member of the family.
    public let ownership: Ownership
    /// What the store lets it do.
    public var rules: SubscriptionRules
    /// The customer that the next renewal will be for.
    public var appAccountToken: CustomerID?
    /// One for each customer and app, the same for ever.
    public var appTransactionID: String?

    /// Where it stands.
    public internal(set) var state: State
    /// The newest period, as it was charged.
    public internal(set) var period: SubscriptionPeriod
    /// The end of the newest period, with everything by which it was moved.
    public internal(set) var paidUntil: Timestamp
    /// The plan subscribed to, at the ordinary price of its next renewal.
    public internal(set) var plan: SubscriptionPlan
    /// Whether it will renew.
    public internal(set) var autoRenews: Bool
    /// The plan that takes the place of ``plan`` at the next renewal.
    public internal(set) var pendingPlan: SubscriptionPlan?
    /// The offer that begins at the next renewal.
    public internal(set) var pendingOffer: SubscriptionOffer?
    /// A higher price to come.
    public internal(set) var priceIncrease: PriceIncrease?
    /// When the newest run of paid service without a long gap began.
    public internal(set) var recentStart: Timestamp
    /// Whether the customer has used an introductory offer of the group.
    public internal(set) var hasUsedIntroductoryOffer: Bool
    /// How often it has renewed since the customer bought it last.
    public internal(set) var renewals: Int

    /// When the renewal date was put off, as far as it still counts.
    package internal(set) var extensions: [Timestamp] = []
    /// What the refund of the newest period took; nil when there was none.
    package internal(set) var stateBeforeRevocation: StateBeforeRevocation?
    /// The latest time at which something happened: what comes late happens then.
    package internal(set) var handledUntil: Timestamp

    /// A subscription bought for the first time, and what to do about it.
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
        let start = rules.moment(now)
        originalTransactionID = id
        self.ownership = ownership
        self.rules = rules
        state = .active
        plan = purchase.plan
        autoRenews = true
        pendingOffer = purchase.followingOffer
        recentStart = start
        hasUsedIntroductoryOffer = purchase.offer?.kind == .introductory
        renewals = 0
        handledUntil = start
        period = Self.period(1, of: purchase.plan, purchase.offer.map { OfferUse($0) }, from: start, .purchase, rules, ownership)
        paidUntil = period.end
    }

    /// The product subscribed to.
    public var productID: ProductID { plan.productID }

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
    public var status: Int { subscriptionStatus.rawValue }

    /// The status on the wire.
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
