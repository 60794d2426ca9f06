/// What a notification tells.
public enum NotificationType: String, Codable, Hashable, Sendable, CaseIterable {
    /// A subscription began, or began again.
    case subscribed = "SUBSCRIBED"
    /// A subscription renewed.
    case didRenew = "DID_RENEW"
    /// The customer chose another product of the group.
    case didChangeRenewalPreference = "DID_CHANGE_RENEWAL_PREF"
    /// Renewal was switched on or off.
    case didChangeRenewalStatus = "DID_CHANGE_RENEWAL_STATUS"
    /// An offer was redeemed on an active subscription.
    case offerRedeemed = "OFFER_REDEEMED"
    /// A renewal could not be charged.
    case didFailToRenew = "DID_FAIL_TO_RENEW"
    /// Access ended while the store tries on.
    case gracePeriodExpired = "GRACE_PERIOD_EXPIRED"
    /// A subscription ended.
    case expired = "EXPIRED"
    /// The customer was told of a higher price, or agreed to it.
    case priceIncrease = "PRICE_INCREASE"
    /// A purchase was refunded.
    case refund = "REFUND"
    /// A refund was asked for and declined.
    case refundDeclined = "REFUND_DECLINED"
    /// A refund was undone.
    case refundReversed = "REFUND_REVERSED"
    /// A refund was asked for, and the store wants to know what was used.
    case consumptionRequest = "CONSUMPTION_REQUEST"
    /// A shared purchase is no longer shared.
    case revoke = "REVOKE"
    /// Something that does not renew was bought.
    case oneTimeCharge = "ONE_TIME_CHARGE"
    /// A renewal date was put off.
    case renewalExtended = "RENEWAL_EXTENDED"
    /// Many renewal dates were put off, or one of them could not be.
    case renewalExtension = "RENEWAL_EXTENSION"
    /// A token of an external purchase was made, or must be reported.
    case externalPurchaseToken = "EXTERNAL_PURCHASE_TOKEN"
    /// A parent withdrew consent to a child's use of the app.
    case rescindConsent = "RESCIND_CONSENT"
    /// A test that the developer asked for.
    case test = "TEST"
    /// Advanced Commerce: descriptions changed.
    case metadataUpdate = "METADATA_UPDATE"
    /// Advanced Commerce: a subscription moved there.
    case migration = "MIGRATION"
    /// Advanced Commerce: a price changed.
    case priceChange = "PRICE_CHANGE"
}
