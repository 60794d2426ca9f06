/// What a developer's server is told about a subscription.
public enum SubscriptionNotice: Hashable, Sendable {
    /// Bought for the first time.
    case subscribed
    /// Renewed as planned.
    case renewed
    /// Renewed after a failure.
    case recovered
    /// The renewal could not be charged.
    case failedToRenew(grace: Bool)
    /// The grace period is over; the store still tries.
    case gracePeriodExpired
    /// It ended.
    case expired(ExpirationIntent)
    /// The customer switched renewal on or off.
    case autoRenewChanged(Bool)
    /// The money was given back.
    case refunded

    /// The notification's type and subtype on the wire.
    public var wire: (type: String, subtype: String?) {
        switch self {
        case .subscribed: ("SUBSCRIBED", "INITIAL_BUY")
        case .renewed: ("DID_RENEW", nil)
        case .recovered: ("DID_RENEW", "BILLING_RECOVERY")
        case .failedToRenew(let grace): ("DID_FAIL_TO_RENEW", grace ? "GRACE_PERIOD" : nil)
        case .gracePeriodExpired: ("GRACE_PERIOD_EXPIRED", nil)
        case .expired(.customerCancelled): ("EXPIRED", "VOLUNTARY")
        case .expired(.billingError): ("EXPIRED", "BILLING_RETRY")
        case .expired(.priceIncreaseNotAgreed): ("EXPIRED", "PRICE_INCREASE")
        case .expired(.productUnavailable): ("EXPIRED", "PRODUCT_NOT_FOR_SALE")
        case .expired(.other): ("EXPIRED", nil)
        case .autoRenewChanged(let on): ("DID_CHANGE_RENEWAL_STATUS", on ? "AUTO_RENEW_ENABLED" : "AUTO_RENEW_DISABLED")
        case .refunded: ("REFUND", nil)
        }
    }
}
