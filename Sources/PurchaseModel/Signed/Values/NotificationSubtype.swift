/// What a notification tells, more closely.
public enum NotificationSubtype: String, Codable, Hashable, Sendable, CaseIterable {
    /// For the first time.
    case initialBuy = "INITIAL_BUY"
    /// Not for the first time.
    case resubscribe = "RESUBSCRIBE"
    /// After a renewal had failed.
    case billingRecovery = "BILLING_RECOVERY"
    /// To more, at once.
    case upgrade = "UPGRADE"
    /// To less, from the next period on.
    case downgrade = "DOWNGRADE"
    /// Switched on.
    case autoRenewEnabled = "AUTO_RENEW_ENABLED"
    /// Switched off.
    case autoRenewDisabled = "AUTO_RENEW_DISABLED"
    /// Access goes on for a while.
    case gracePeriod = "GRACE_PERIOD"
    /// By the customer's wish.
    case voluntary = "VOLUNTARY"
    /// Because it could not be charged.
    case billingRetry = "BILLING_RETRY"
    /// Because the customer did not agree to a price.
    case priceIncrease = "PRICE_INCREASE"
    /// Because the product is no longer sold.
    case productNotForSale = "PRODUCT_NOT_FOR_SALE"
    /// The customer has not answered.
    case pending = "PENDING"
    /// The customer agreed, or need not.
    case accepted = "ACCEPTED"
    /// All are done.
    case summary = "SUMMARY"
    /// One could not be done.
    case failure = "FAILURE"
    /// Not reported yet.
    case unreported = "UNREPORTED"
    /// Just made.
    case created = "CREATED"
    /// Still active, as every month.
    case activeTokenReminder = "ACTIVE_TOKEN_REMINDER"
}
