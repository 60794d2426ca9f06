/// The reason that a subscription's renewal date cannot be extended.
public enum ExtensionRefusal: Error, Hashable, Sendable, CaseIterable {
    /// The extension is not 1 to 90 days long.
    case invalidDays
    /// The newest subscription period is free because of an offer.
    case freePeriod
    /// The renewal failed, and the subscription is in its billing grace period.
    case gracePeriod
    /// The renewal failed, and the subscription is in its billing retry period.
    case billingRetry
    /// The subscription has expired.
    case expired
    /// The subscription was revoked.
    case revoked
    /// The renewal date was extended twice within 365 days.
    case extensionLimitReached
    /// The subscription is a Family Sharing entitlement, which follows the purchaser's subscription.
    case familyShared
}
