/// A group of customers who can be eligible for an offer code.
public enum OfferEligibility: String, Codable, Hashable, Sendable, CaseIterable {
    /// Customers who never subscribed in the subscription group.
    case new
    /// Customers with an active subscription in the subscription group.
    case existing
    /// Customers whose subscription in the subscription group has expired.
    case expired
}
