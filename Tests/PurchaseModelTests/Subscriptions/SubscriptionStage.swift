import PurchaseModel
import PurchaseTestSupport

/// A state of the machine as far as it decides differently; all have two periods behind them.
enum SubscriptionStage: String, CaseIterable, Sendable {
    case active, changing, asked, cancelled, grace, retry, expired, revoked

    /// The stage that a subscription is in.
    init(_ subscription: Subscription) {
        switch subscription.state {
        case .active where !subscription.autoRenews: self = .cancelled
        case .active where subscription.priceIncrease?.answer == .pending: self = .asked
        case .active: self = subscription.pendingPlan == nil ? .active : .changing
        case .gracePeriod: self = .grace
        case .billingRetry: self = .retry
        case .expired: self = .expired
        case .revoked: self = .revoked
        }
    }

    /// A subscription in this stage.
    func sample() throws -> Subscription {
        var subscription = try Sample.subscription()
        subscription.fall()
        let now = Sample.firstEnd
        switch self {
        case .active: break
        case .changing: _ = subscription.handle(.purchase(SubscriptionPurchase(try Sample.bronze())), at: now)
        case .asked: _ = subscription.handle(.priceChanged(of: "silver", to: Sample.money(12_990), needsConsent: true), at: now)
        case .cancelled: _ = subscription.handle(.autoRenew(false), at: now)
        case .grace: subscription.fall(cardWorks: false)
        case .retry:
            subscription.fall(cardWorks: false)
            subscription.fall(cardWorks: false)
        case .expired:
            _ = subscription.handle(.autoRenew(false), at: now)
            subscription.fall()
        case .revoked: _ = subscription.handle(.refunded(period: 2), at: now)
        }
        return subscription
    }
}

/// Everything that can happen to the customer's own subscription.
enum SubscriptionHappening: String, CaseIterable, Sendable {
    case dueAndPaid = "due and paid"
    case dueAndUnpaid = "due and unpaid"
    case dueAndNotSold = "due and not sold"
    case billingIssueResolved = "card mended"
    case switchedOff = "switched off"
    case switchedOn = "switched on"
    case boughtAgain = "bought again"
    case offerRedeemed = "offer redeemed"
    case upgraded, downgraded
    case dearerAsking = "dearer asking"
    case dearerTelling = "dearer telling"
    case agreed, declined, refunded
    case olderRefunded = "older refunded"
    case refundReversed = "refund reversed"
    case extended
    case sharingEnded = "sharing ended"
    case renewalForced = "renewal forced"
    case expiryForced = "expiry forced"

    /// The event.
    func event() throws -> SubscriptionEvent {
        switch self {
        case .dueAndPaid: .due(cardWorks: true)
        case .dueAndUnpaid: .due(cardWorks: false)
        case .dueAndNotSold: .due(cardWorks: true, forSale: false)
        case .billingIssueResolved: .billingIssueResolved
        case .switchedOff: .autoRenew(false)
        case .switchedOn: .autoRenew(true)
        case .boughtAgain: .purchase(SubscriptionPurchase(try Sample.plan()))
        case .offerRedeemed: .purchase(SubscriptionPurchase(try Sample.plan(), offer: try Sample.offer(.promotional, .freeTrial)))
        case .upgraded: .purchase(SubscriptionPurchase(try Sample.gold()))
        case .downgraded: .purchase(SubscriptionPurchase(try Sample.plan("tin", level: 4)))
        case .dearerAsking: .priceChanged(of: "silver", to: Sample.money(14_990), needsConsent: true)
        case .dearerTelling: .priceChanged(of: "silver", to: Sample.money(14_990), needsConsent: false)
        case .agreed: .priceConsent(true)
        case .declined: .priceConsent(false)
        case .refunded: .refunded(period: 2)
        case .olderRefunded: .refunded(period: 1)
        case .refundReversed: .refundReversed(period: 2)
        case .extended: .extended(days: 10)
        case .sharingEnded: .sharingEnded
        case .renewalForced: .renewalForced()
        case .expiryForced: .expiryForced
        }
    }

    private var isDue: Bool {
        switch self {
        case .dueAndPaid, .dueAndUnpaid, .dueAndNotSold: true
        default: false
        }
    }

    /// Lets it happen when it has an effect if it ever has one.
    func happen(to subscription: inout Subscription) throws -> [SubscriptionAction] {
        let due = subscription.nextDue ?? Sample.secondEnd
        return subscription.handle(try event(), at: isDue ? due : due.adding(days: -1))
    }
}
