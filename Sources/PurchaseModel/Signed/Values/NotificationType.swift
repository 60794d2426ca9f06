/// The type of an App Store Server Notification: the event that the notification reports.
public enum NotificationType: String, Codable, Hashable, Sendable, CaseIterable {
    /// A customer subscribed, or subscribed again.
    case subscribed = "SUBSCRIBED"
    /// A subscription renewed.
    case didRenew = "DID_RENEW"
    /// A customer changed to another product of the subscription group.
    case didChangeRenewalPreference = "DID_CHANGE_RENEWAL_PREF"
    /// A customer or the store enabled or disabled auto-renew.
    case didChangeRenewalStatus = "DID_CHANGE_RENEWAL_STATUS"
    /// A customer redeemed an offer for an active subscription.
    case offerRedeemed = "OFFER_REDEEMED"
    /// A renewal failed because of a billing issue.
    case didFailToRenew = "DID_FAIL_TO_RENEW"
    /// A billing grace period ended while the billing retry period continues.
    case gracePeriodExpired = "GRACE_PERIOD_EXPIRED"
    /// A subscription expired.
    case expired = "EXPIRED"
    /// A customer was notified of a price increase, or consented to it.
    case priceIncrease = "PRICE_INCREASE"
    /// A purchase was refunded.
    case refund = "REFUND"
    /// A refund request was declined.
    case refundDeclined = "REFUND_DECLINED"
    /// A refund was reversed.
    case refundReversed = "REFUND_REVERSED"
    /// A customer requested a refund, and the App Store requests consumption information.
    case consumptionRequest = "CONSUMPTION_REQUEST"
    /// A purchase is no longer available through Family Sharing.
    case revoke = "REVOKE"
    /// A customer purchased a product that is not an auto-renewable subscription.
    case oneTimeCharge = "ONE_TIME_CHARGE"
    /// A renewal date was extended.
    case renewalExtended = "RENEWAL_EXTENDED"
    /// A request to extend the renewal dates of many subscribers completed, or failed for one subscriber.
    case renewalExtension = "RENEWAL_EXTENSION"
    /// An external purchase token was created, or the developer must report it to Apple.
    case externalPurchaseToken = "EXTERNAL_PURCHASE_TOKEN"
    /// A parent rescinded consent to a child's use of the app.
    case rescindConsent = "RESCIND_CONSENT"
    /// The developer requested a test notification.
    case test = "TEST"
    /// The metadata of an Advanced Commerce subscription changed.
    case metadataUpdate = "METADATA_UPDATE"
    /// A subscription migrated to Advanced Commerce.
    case migration = "MIGRATION"
    /// The price of an Advanced Commerce subscription changed.
    case priceChange = "PRICE_CHANGE"
}
