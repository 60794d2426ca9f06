/// How the customer came by a purchase.
public enum Ownership: String, Codable, Hashable, Sendable, CaseIterable {
    /// Bought.
    case purchased = "PURCHASED"
    /// Somebody of the family bought it.
    case familyShared = "FAMILY_SHARED"
}
