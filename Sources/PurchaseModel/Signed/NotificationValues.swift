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
    /// The App Store released claims of seats in a group whose members the developer's server invites.
    case unclaimSeats = "UNCLAIM_SEATS"
}

/// The subtype of a notification, which refines its type.
public enum NotificationSubtype: String, Codable, Hashable, Sendable, CaseIterable {
    /// The customer subscribed to a product of the subscription group for the first time.
    case initialBuy = "INITIAL_BUY"
    /// The customer subscribed again to a product of the subscription group.
    case resubscribe = "RESUBSCRIBE"
    /// A renewal succeeded after a billing issue.
    case billingRecovery = "BILLING_RECOVERY"
    /// The customer upgraded, with immediate effect.
    case upgrade = "UPGRADE"
    /// The customer downgraded, with effect from the next period.
    case downgrade = "DOWNGRADE"
    /// Auto-renew was enabled.
    case autoRenewEnabled = "AUTO_RENEW_ENABLED"
    /// Auto-renew was disabled.
    case autoRenewDisabled = "AUTO_RENEW_DISABLED"
    /// The renewal failed, and access continues in the billing grace period.
    case gracePeriod = "GRACE_PERIOD"
    /// The subscription expired because the customer disabled auto-renew.
    case voluntary = "VOLUNTARY"
    /// The subscription expired because of a billing error.
    case billingRetry = "BILLING_RETRY"
    /// The subscription expired because the customer did not consent to a price increase.
    case priceIncrease = "PRICE_INCREASE"
    /// The subscription expired because the product was no longer available.
    case productNotForSale = "PRODUCT_NOT_FOR_SALE"
    /// The customer has not responded to the price increase.
    case pending = "PENDING"
    /// The customer consented to the price increase, or no consent is required.
    case accepted = "ACCEPTED"
    /// The request to extend the renewal dates of many subscribers is complete.
    case summary = "SUMMARY"
    /// The extension of a renewal date failed for one subscriber.
    case failure = "FAILURE"
    /// The developer has not reported the external purchase token to Apple.
    case unreported = "UNREPORTED"
    /// The external purchase token was created.
    case created = "CREATED"
    /// The external purchase token is still active; Apple sends this reminder monthly.
    case activeTokenReminder = "ACTIVE_TOKEN_REMINDER"
    /// Some seats of a transaction were refunded; the purchaser keeps access.
    case seats = "SEATS"
    /// The customer added seats, or withdrew a reduction.
    case increaseQuantity = "INCREASE_QUANTITY"
    /// The customer chose fewer seats for the next renewal.
    case decreaseQuantity = "DECREASE_QUANTITY"
}

/// The reason for a customer's refund request.
public enum ConsumptionRequestReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// The customer did not intend the purchase.
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    /// The customer did not receive the purchase, or could not use it.
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    /// The customer is not satisfied with the purchase.
    case unsatisfied = "UNSATISFIED_WITH_PURCHASE"
    /// The refund request has a legal reason.
    case legal = "LEGAL"
    /// The refund request has another reason.
    case other = "OTHER"
}
