/// What an offer of Advanced Commerce is for.
public enum AdvancedCommerceOfferReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// Winning customers.
    case acquisition = "ACQUISITION"
    /// Winning them back.
    case winBack = "WIN_BACK"
    /// Keeping them.
    case retention = "RETENTION"
}
