/// The type of a version 1 notification, which is unsigned.
public enum NotificationV1Type: String, Codable, Hashable, Sendable, CaseIterable {
    /// A customer subscribed for the first time.
    case initialBuy = "INITIAL_BUY"
    /// A customer resubscribed after expiration, or upgraded.
    case interactiveRenewal = "INTERACTIVE_RENEWAL"
    /// A subscription renewed.
    case didRenew = "DID_RENEW"
    /// A subscription renewed after a billing issue.
    case didRecover = "DID_RECOVER"
    /// A renewal failed because of a billing issue.
    case didFailToRenew = "DID_FAIL_TO_RENEW"
    /// The customer chose another product for the next renewal.
    case didChangeRenewalPreference = "DID_CHANGE_RENEWAL_PREF"
    /// Auto-renew was enabled or disabled.
    case didChangeRenewalStatus = "DID_CHANGE_RENEWAL_STATUS"
    /// A subscription was refunded, or replaced by an upgrade.
    case cancel = "CANCEL"
    /// A purchase other than a subscription was refunded.
    case refund = "REFUND"
    /// A purchase is no longer available through Family Sharing.
    case revoke = "REVOKE"
    /// A price increase requires the customer's consent.
    case priceIncreaseConsent = "PRICE_INCREASE_CONSENT"
    /// A customer requested a refund, and the App Store requests consumption information.
    case consumptionRequest = "CONSUMPTION_REQUEST"

    /// Returns the types of the version 1 notifications that correspond to a version 2 notification, in order; empty if there are none.
    ///
    /// An upgrade, and a change to a product of the same level and duration, cancels the replaced period.
    ///
    /// - Parameters:
    ///   - type: The version 2 type.
    ///   - subtype: The version 2 subtype.
    ///   - isSubscription: Whether the notification concerns an auto-renewable subscription, whose refund is a ``cancel``.
    ///   - disablesAutoRenew: Whether the refund of a subscription disabled auto-renew.
    public static func types(
        _ type: NotificationType, _ subtype: NotificationSubtype?, isSubscription: Bool, disablesAutoRenew: Bool = false
    ) -> [NotificationV1Type] {
        switch (type, subtype) {
        case (.didChangeRenewalPreference, .upgrade), (.offerRedeemed, .upgrade): [.cancel, .interactiveRenewal]
        // A refund of some seats leaves the subscription, and version 1 has no notification for it.
        case (.refund, .seats): []
        case (.refund, _) where isSubscription: disablesAutoRenew ? [.cancel, .didChangeRenewalStatus] : [.cancel]
        default: NotificationV1Type(type, subtype).map { [$0] } ?? []
        }
    }

    private init?(_ type: NotificationType, _ subtype: NotificationSubtype?) {
        switch (type, subtype) {
        case (.subscribed, .resubscribe): self = .interactiveRenewal
        case (.subscribed, _): self = .initialBuy
        case (.didRenew, .billingRecovery): self = .didRecover
        case (.didRenew, _): self = .didRenew
        case (.didChangeRenewalPreference, _), (.offerRedeemed, .downgrade): self = .didChangeRenewalPreference
        case (.offerRedeemed, _): self = .interactiveRenewal
        case (.didChangeRenewalStatus, _): self = .didChangeRenewalStatus
        case (.didFailToRenew, _): self = .didFailToRenew
        case (.priceIncrease, .pending): self = .priceIncreaseConsent
        case (.refund, _): self = .refund
        case (.revoke, _): self = .revoke
        case (.consumptionRequest, _): self = .consumptionRequest
        case (.priceIncrease, _), (.gracePeriodExpired, _), (.expired, _), (.refundDeclined, _), (.refundReversed, _),
            (.oneTimeCharge, _), (.renewalExtended, _), (.renewalExtension, _), (.externalPurchaseToken, _), (.rescindConsent, _),
            (.test, _), (.metadataUpdate, _), (.migration, _), (.priceChange, _),
            (.unclaimSeats, _):
            return nil
        }
    }
}
