/// Why a subscription's renewal date cannot be put off.
public enum ExtensionRefusal: Error, Hashable, Sendable, CaseIterable {
    /// It is not 1 to 90 days.
    case days
    /// The newest period is free.
    case freePeriod
    /// The renewal failed, and access goes on past the end of what was paid.
    case gracePeriod
    /// The renewal failed, and the store tries on.
    case billingRetry
    /// It has ended.
    case expired
    /// It was taken back.
    case revoked
    /// It was put off twice within 365 days.
    case tooOften
    /// It is a family member's copy, which follows the purchaser's.
    case familyCopy
}
