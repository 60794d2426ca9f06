/// What an unsigned notification of the first version tells.
public enum NotificationV1Type: String, Codable, Hashable, Sendable, CaseIterable {
    /// A subscription was bought for the first time.
    case initialBuy = "INITIAL_BUY"
    /// A customer bought a lapsed subscription again, or a better one.
    case interactiveRenewal = "INTERACTIVE_RENEWAL"
    /// A subscription renewed.
    case didRenew = "DID_RENEW"
    /// A renewal that had failed was paid.
    case didRecover = "DID_RECOVER"
    /// A renewal could not be charged.
    case didFailToRenew = "DID_FAIL_TO_RENEW"
    /// The customer chose another product for the next period.
    case didChangeRenewalPreference = "DID_CHANGE_RENEWAL_PREF"
    /// Renewal was switched on or off.
    case didChangeRenewalStatus = "DID_CHANGE_RENEWAL_STATUS"
    /// A subscription was refunded.
    case cancel = "CANCEL"
    /// Something else was refunded.
    case refund = "REFUND"
    /// A shared purchase is no longer shared.
    case revoke = "REVOKE"
    /// The customer is asked to agree to a higher price.
    case priceIncreaseConsent = "PRICE_INCREASE_CONSENT"
    /// A refund was asked for, and the store wants to know what was used.
    case consumptionRequest = "CONSUMPTION_REQUEST"

    /// What the first version sends where the second sends this; nil where it is silent.
    ///
    /// - Parameters:
    ///   - type: The type of the second version.
    ///   - subtype: Its subtype.
    ///   - isSubscription: Whether it is about an auto-renewable subscription, whose refund has a name of its own.
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
