/// Whether a subscription renews at the end of its period.
public enum AutoRenewStatus: Int, Codable, Hashable, Sendable, CaseIterable {
    /// Auto-renew is disabled: the subscription expires at the end of its period.
    case off = 0
    /// Auto-renew is enabled: the subscription renews at the end of its period.
    case on = 1
}
