import PurchaseModel
import PurchaseTestSupport

/// A stage of a subscription, as far as stages handle events differently.
///
/// The sample of each stage has two periods.
enum SubscriptionStage: String, CaseIterable, Sendable {
    case active, changePending, consentPending, autoRenewOff, chargedAhead, grace, retry, expired, revoked

    /// The stage that a subscription is in.
    init(_ subscription: Subscription) {
        switch subscription.state {
        case .active where !subscription.autoRenews: self = .autoRenewOff
        case .active where subscription.isChargedAhead(at: subscription.handledUntil): self = .chargedAhead
        case .active where subscription.priceIncrease?.consent == .pending: self = .consentPending
        case .active: self = subscription.pendingPlan == nil ? .active : .changePending
        case .gracePeriod: self = .grace
        case .billingRetry: self = .retry
        case .expired: self = .expired
        case .revoked: self = .revoked
        }
    }

    /// A subscription in this stage.
    func sample() throws -> Subscription {
        var subscription = try Sample.subscription()
        if self == .chargedAhead {
            _ = subscription.handle(.renewalChargedAhead(), at: Sample.firstEnd.adding(seconds: -5 * 3_600))
            return subscription
        }
        subscription.processDue()
        let now = Sample.firstEnd
        switch self {
        case .active, .chargedAhead: break
        case .changePending: _ = subscription.handle(.purchase(SubscriptionPurchase(try Sample.bronze())), at: now)
        case .consentPending: _ = subscription.handle(.priceChanged(of: "silver", to: Sample.money(12_990), requiresConsent: true), at: now)
        case .autoRenewOff: _ = subscription.handle(.autoRenew(false), at: now)
        case .grace: subscription.processDue(hasValidPaymentMethod: false)
        case .retry:
            subscription.processDue(hasValidPaymentMethod: false)
            subscription.processDue(hasValidPaymentMethod: false)
        case .expired:
            _ = subscription.handle(.autoRenew(false), at: now)
            subscription.processDue()
        case .revoked: _ = subscription.handle(.refunded(period: 2), at: now)
        }
        return subscription
    }
}

/// The kinds of events of a purchased subscription.
enum SubscriptionEventKind: String, CaseIterable, Sendable {
    case dueWithValidPaymentMethod = "due with valid payment method"
    case dueWithDecliningPaymentMethod = "due with declining payment method"
    case dueWithUnavailableProduct = "due with unavailable product"
    case billingIssueResolved = "billing issue resolved"
    case autoRenewDisabled = "auto-renew disabled"
    case autoRenewEnabled = "auto-renew enabled"
    case purchasedAgain = "purchased again"
    case offerRedeemed = "offer redeemed"
    case upgraded, downgraded
    case priceIncreaseConsentRequired = "price increase with consent required"
    case priceIncreaseWithoutConsent = "price increase without consent"
    case consented, declined, refunded
    case earlierPeriodRefunded = "earlier period refunded"
    case refundReversed = "refund reversed"
    case renewalDateExtended = "renewal date extended"
    case sharingEnded = "sharing ended"
    case renewalForced = "renewal forced"
    case renewalChargedAhead = "renewal charged ahead"
    case expiryForced = "expiry forced"

    /// Returns a sample event of this kind.
    func event() throws -> SubscriptionEvent {
        switch self {
        case .dueWithValidPaymentMethod: .due(hasValidPaymentMethod: true)
        case .dueWithDecliningPaymentMethod: .due(hasValidPaymentMethod: false)
        case .dueWithUnavailableProduct: .due(hasValidPaymentMethod: true, isProductAvailable: false)
        case .billingIssueResolved: .billingIssueResolved
        case .autoRenewDisabled: .autoRenew(false)
        case .autoRenewEnabled: .autoRenew(true)
        case .purchasedAgain: .purchase(SubscriptionPurchase(try Sample.plan()))
        case .offerRedeemed: .purchase(SubscriptionPurchase(try Sample.plan(), offer: try Sample.offer(.promotional, .freeTrial)))
        case .upgraded: .purchase(SubscriptionPurchase(try Sample.gold()))
        case .downgraded: .purchase(SubscriptionPurchase(try Sample.plan("tin", level: 4)))
        case .priceIncreaseConsentRequired: .priceChanged(of: "silver", to: Sample.money(14_990), requiresConsent: true)
        case .priceIncreaseWithoutConsent: .priceChanged(of: "silver", to: Sample.money(14_990), requiresConsent: false)
        case .consented: .priceConsent(true)
        case .declined: .priceConsent(false)
        case .refunded: .refunded(period: 2)
        case .earlierPeriodRefunded: .refunded(period: 1)
        case .refundReversed: .refundReversed(period: 2)
        case .renewalDateExtended: .extended(days: 10)
        case .sharingEnded: .sharingEnded
        case .renewalForced: .renewalForced()
        case .renewalChargedAhead: .renewalChargedAhead()
        case .expiryForced: .expiryForced
        }
    }

    private var isDue: Bool {
        switch self {
        case .dueWithValidPaymentMethod, .dueWithDecliningPaymentMethod, .dueWithUnavailableProduct: true
        default: false
        }
    }

    /// Handles the sample event at a date at which it can have an effect.
    ///
    /// A due event is handled at the next renewal date, and any other event a day earlier, or before a charged period begins.
    func apply(to subscription: inout Subscription) throws -> [SubscriptionAction] {
        let due = subscription.nextRenewalDate ?? Sample.secondEnd
        let isAhead = subscription.isChargedAhead(at: subscription.handledUntil)
        return subscription.handle(try event(), at: isDue ? due : isAhead ? subscription.handledUntil : due.adding(days: -1))
    }
}
