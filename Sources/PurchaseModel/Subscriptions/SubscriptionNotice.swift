/// What a developer's server is told about a subscription.
public enum SubscriptionNotice: Hashable, Sendable {
    /// Bought for the first time.
    case subscribed
    /// Bought again after it had ended.
    case resubscribed
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
    /// The customer chose another plan; nil when a choice was withdrawn before it took effect.
    case planChanged(SubscriptionChange?)
    /// An offer was redeemed while subscribed; nil for one of the same plan.
    case offerRedeemed(SubscriptionChange?)
    /// The customer was told of a higher price, and has agreed or need not.
    case priceIncrease(accepted: Bool)
    /// The money was given back.
    case refunded
    /// The refund was undone.
    case refundReversed
    /// A member of the family lost it.
    case revoked
    /// The renewal date was put off.
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
        case .autoRenewChanged(let on): on ? .autoRenewEnabled : .autoRenewDisabled
        case .planChanged(.upgrade), .offerRedeemed(.upgrade): .upgrade
        case .planChanged(.downgrade), .offerRedeemed(.downgrade): .downgrade
        case .priceIncrease(let accepted): accepted ? .accepted : .pending
        case .renewed, .gracePeriodExpired, .planChanged(nil), .offerRedeemed(nil), .refunded, .refundReversed, .revoked, .extended: nil
        }
    }

    /// The notification's type and subtype on the wire.
    public var wire: (type: String, subtype: String?) { (type.rawValue, subtype?.rawValue) }
}
