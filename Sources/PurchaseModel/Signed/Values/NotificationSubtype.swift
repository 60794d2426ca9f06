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
}
