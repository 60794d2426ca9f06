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
    /// A subscription was refunded.
    case cancel = "CANCEL"
    /// A purchase other than a subscription was refunded.
    case refund = "REFUND"
    /// A purchase is no longer available through Family Sharing.
    case revoke = "REVOKE"
    /// A price increase requires the customer's consent.
    case priceIncreaseConsent = "PRICE_INCREASE_CONSENT"
    /// A customer requested a refund, and the App Store requests consumption information.
    case consumptionRequest = "CONSUMPTION_REQUEST"

    /// Creates the version 1 type that corresponds to a version 2 notification; nil when version 1 sends no notification.
    ///
    /// - Parameters:
    ///   - type: The version 2 type.
    ///   - subtype: The version 2 subtype.
    ///   - isSubscription: Whether the notification concerns an auto-renewable subscription, whose refund is a ``cancel``.
    public init?(_ type: NotificationType, _ subtype: NotificationSubtype?, isSubscription: Bool) {
        switch (type, subtype) {
        case (.subscribed, .resubscribe): self = .interactiveRenewal
        case (.subscribed, _): self = .initialBuy
        case (.didRenew, .billingRecovery): self = .didRecover
        case (.didRenew, _): self = .didRenew
        case (.didChangeRenewalPreference, .upgrade): self = .interactiveRenewal
        case (.didChangeRenewalPreference, _), (.offerRedeemed, .downgrade): self = .didChangeRenewalPreference
        case (.offerRedeemed, _): self = .interactiveRenewal
        case (.didChangeRenewalStatus, _): self = .didChangeRenewalStatus
        case (.didFailToRenew, _): self = .didFailToRenew
        case (.priceIncrease, .pending): self = .priceIncreaseConsent
        case (.refund, _): self = isSubscription ? .cancel : .refund
        case (.revoke, _): self = .revoke
        case (.consumptionRequest, _): self = .consumptionRequest
        case (.priceIncrease, _), (.gracePeriodExpired, _), (.expired, _), (.refundDeclined, _), (.refundReversed, _),
            (.oneTimeCharge, _), (.renewalExtended, _), (.renewalExtension, _), (.externalPurchaseToken, _), (.rescindConsent, _),
            (.test, _), (.metadataUpdate, _), (.migration, _), (.priceChange, _):
            return nil
        }
    }
}
