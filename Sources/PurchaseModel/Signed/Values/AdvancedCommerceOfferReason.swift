/// The purpose of an Advanced Commerce offer.
public enum AdvancedCommerceOfferReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// The offer acquires new customers.
    case acquisition = "ACQUISITION"
    /// The offer wins back former customers.
    case winBack = "WIN_BACK"
    /// The offer retains existing customers.
    case retention = "RETENTION"
}
