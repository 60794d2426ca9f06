/// A subscription event that the store reports to the developer's server.
public enum SubscriptionNotice: Hashable, Sendable {
    /// The customer subscribed for the first time.
    case subscribed
    /// The customer subscribed again after the subscription expired.
    case resubscribed
    /// The subscription renewed as planned.
    case renewed
    /// The subscription renewed after a billing issue.
    case recovered
    /// The renewal failed because of a billing issue.
    case failedToRenew(grace: Bool)
    /// The billing grace period ended, and the billing retry period continues.
    case gracePeriodExpired
    /// The subscription expired.
    case expired(ExpirationIntent)
    /// The customer enabled or disabled auto-renew.
    case autoRenewChanged(Bool)
    /// The customer chose another plan; nil when the customer withdrew the choice before it took effect.
    case planChanged(SubscriptionChange?)
    /// An active subscriber redeemed an offer; nil for an offer of the same plan.
    case offerRedeemed(SubscriptionChange?)
    /// The customer was notified of a price increase; `accepted` is true after consent, or when no consent is required.
    case priceIncrease(accepted: Bool)
    /// The period was refunded.
    case refunded
    /// The refund was reversed.
    case refundReversed
    /// A family member lost access through Family Sharing.
    case revoked
    /// The renewal date was extended.
    case extended

    /// The notification's type.
    public var type: NotificationType {
        switch self {
        case .subscribed, .resubscribed: .subscribed
        case .renewed, .recovered: .didRenew
        case .failedToRenew: .didFailToRenew
        case .gracePeriodExpired: .gracePeriodExpired
        case .expired: .expired
        case .autoRenewChanged: .didChangeRenewalStatus
        case .planChanged: .didChangeRenewalPreference
        case .offerRedeemed: .offerRedeemed
        case .priceIncrease: .priceIncrease
        case .refunded: .refund
        case .refundReversed: .refundReversed
        case .revoked: .revoke
        case .extended: .renewalExtended
        }
    }

    /// The notification's subtype.
    public var subtype: NotificationSubtype? {
        switch self {
        case .subscribed: .initialBuy
        case .resubscribed: .resubscribe
        case .recovered: .billingRecovery
        case .failedToRenew(let grace): grace ? .gracePeriod : nil
        case .expired(.customerCancelled): .voluntary
        case .expired(.billingError): .billingRetry
        case .expired(.priceIncreaseNotConsented): .priceIncrease
        case .expired(.productUnavailable): .productNotForSale
        case .expired(.other): nil
        case .autoRenewChanged(let isEnabled): isEnabled ? .autoRenewEnabled : .autoRenewDisabled
        case .planChanged(.upgrade), .offerRedeemed(.upgrade): .upgrade
        case .planChanged(.downgrade), .offerRedeemed(.downgrade): .downgrade
        case .priceIncrease(let accepted): accepted ? .accepted : .pending
        case .renewed, .gracePeriodExpired, .planChanged(nil), .offerRedeemed(nil), .refunded, .refundReversed, .revoked, .extended: nil
        }
    }

    /// The notification's type and subtype on the wire.
    public var wire: (type: String, subtype: String?) { (type.rawValue, subtype?.rawValue) }
}
