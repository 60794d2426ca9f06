/// The reason that a customer is not eligible for an offer.
public enum OfferRefusal: Error, Hashable, Sendable, CaseIterable {
    /// The customer has used an introductory offer of the subscription group.
    case introductoryOfferUsed
    /// The offer requires a present or former subscription.
    case neverSubscribed
    /// The offer requires that the customer has no active subscription.
    case subscribed
    /// The offer requires an active subscription.
    case notSubscribed
    /// The offer's eligibility is disabled in the test configuration.
    case disabled
    /// The offer applies to one-time purchases only.
    case oneTimePurchaseOnly
}

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
