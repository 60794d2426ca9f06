/// The relation of a customer to a purchase.
public enum Ownership: String, Codable, Hashable, Sendable, CaseIterable {
    /// The customer made the purchase.
    case purchased = "PURCHASED"
    /// The customer has access through Family Sharing.
    case familyShared = "FAMILY_SHARED"
}
