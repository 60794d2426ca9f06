/// Which customers an offer code is for.
public enum OfferEligibility: String, Codable, Hashable, Sendable, CaseIterable {
    /// Who never subscribed in the group.
    case new
    /// Who is subscribed in the group.
    case existing
    /// Whose subscription in the group has ended.
    case expired
}
