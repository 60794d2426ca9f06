/// The status of a subscription in the store.
public enum SubscriptionStatus: Int, Codable, Hashable, Sendable, CaseIterable {
    /// The subscription is active and paid.
    case active = 1
    /// The subscription has expired.
    case expired = 2
    /// A renewal failed and access has ended; the subscription is in its billing retry period.
    case billingRetry = 3
    /// A renewal failed and access continues; the subscription is in its billing grace period.
    case gracePeriod = 4
    /// The subscription was refunded, or is no longer available through Family Sharing.
    case revoked = 5
}
