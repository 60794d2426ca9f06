/// A change of a subscription that the store reports to the developer's server in a notification.
public enum SubscriptionNotice: Hashable, Sendable {
    /// The customer subscribed for the first time.
    case subscribed
    /// The customer subscribed again after the subscription expired.
    case resubscribed
    /// The subscription renewed at its renewal date.
    case renewed
    /// The subscription renewed after a billing issue.
    case recovered
    /// The renewal failed because of a billing issue; `grace` is true when a billing grace period begins.
    case failedToRenew(grace: Bool)
    /// The billing grace period ended, and the billing retry period continues.
    case gracePeriodExpired
    /// The subscription expired for this reason.
    case expired(ExpirationIntent)
    /// Auto-renew was enabled (true) or disabled (false).
    case autoRenewChanged(Bool)
    /// The customer changed to another product; nil when the customer canceled a downgrade before the next renewal.
    case planChanged(SubscriptionChange?)
    /// A subscriber redeemed an offer, which can change the product; nil for an offer of the same product.
    case offerRedeemed(SubscriptionChange?)
    /// The customer was notified of a price increase; `accepted` is true after consent, or when no consent is required.
    case priceIncrease(accepted: Bool)
    /// The customer changed the number of seats: at once for an increase, or at the next renewal.
    case seatsChanged(isIncrease: Bool)
    /// Some seats of a transaction were refunded.
    case seatsRefunded
    /// A subscription period was refunded.
    case refunded
    /// The refund of a subscription period was reversed.
    case refundReversed
    /// A family member lost access through Family Sharing.
    case revoked
    /// The renewal date was extended.
    case extended

    /// The type of the notification.
    public var type: NotificationType {
        switch self {
        case .subscribed, .resubscribed: .subscribed
        case .renewed, .recovered: .didRenew
        case .failedToRenew: .didFailToRenew
        case .gracePeriodExpired: .gracePeriodExpired
        case .expired: .expired
        case .autoRenewChanged: .didChangeRenewalStatus
        case .planChanged, .seatsChanged: .didChangeRenewalPreference
        case .offerRedeemed: .offerRedeemed
        case .priceIncrease: .priceIncrease
        case .refunded, .seatsRefunded: .refund
        case .refundReversed: .refundReversed
        case .revoked: .revoke
        case .extended: .renewalExtended
        }
    }

    /// The subtype of the notification; nil for a notification without a subtype.
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
        case .expired(.other), .expired(.unbundled): nil
        case .autoRenewChanged(let isEnabled): isEnabled ? .autoRenewEnabled : .autoRenewDisabled
        case .planChanged(.upgrade), .offerRedeemed(.upgrade): .upgrade
        case .planChanged(.downgrade), .offerRedeemed(.downgrade): .downgrade
        case .seatsChanged(let isIncrease): isIncrease ? .increaseQuantity : .decreaseQuantity
        case .seatsRefunded: .seats
        case .priceIncrease(let accepted): accepted ? .accepted : .pending
        case .renewed, .gracePeriodExpired, .planChanged(nil), .offerRedeemed(nil), .refunded, .refundReversed, .revoked, .extended: nil
        }
    }

    /// The type and the subtype of the notification, as text in the signed payload.
    public var wire: (type: String, subtype: String?) { (type.rawValue, subtype?.rawValue) }
}
