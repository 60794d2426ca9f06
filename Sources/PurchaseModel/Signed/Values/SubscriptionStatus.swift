/// The state of a subscription as the store sees it.
public enum SubscriptionStatus: Int, Codable, Hashable, Sendable, CaseIterable {
    /// Paid.
    case active = 1
    /// Ended.
    case expired = 2
    /// A renewal failed, access has ended, the store tries on.
    case billingRetry = 3
    /// A renewal failed, access goes on, the store tries on.
    case gracePeriod = 4
    /// Refunded, or no longer shared.
    case revoked = 5
}
