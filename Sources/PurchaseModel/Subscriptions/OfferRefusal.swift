/// The reason that a customer is not eligible for an offer.
public enum OfferRefusal: Error, Hashable, Sendable, CaseIterable {
    /// The customer has used an introductory offer of the subscription group.
    case introductoryUsed
    /// The offer requires a present or former subscription.
    case neverSubscribed
    /// The offer requires that the customer has no active subscription.
    case subscribed
    /// The offer requires an active subscription.
    case lapsed
    /// The offer's eligibility is disabled in the test configuration.
    case switchedOff
    /// The offer applies to one-time purchases only.
    case notForSubscriptions
}
