/// Whether a subscription renews at the end of its period.
public enum AutoRenewStatus: Int, Codable, Hashable, Sendable, CaseIterable {
    /// It ends.
    case off = 0
    /// It renews.
    case on = 1
}
