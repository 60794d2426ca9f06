/// The reason that a customer is not eligible for an offer.
public enum OfferRefusal: Error, Hashable, Sendable, CaseIterable {
    /// The customer has used an introductory offer of the subscription group.
    case introductoryOfferUsed
    /// The offer requires a present or former subscription.
    case neverSubscribed
    /// The offer requires that the customer has no active subscription.
    case subscribed
    /// The offer requires an active subscription.
    case notSubscribed
    /// The offer's eligibility is disabled in the test configuration.
    case disabled
    /// The offer applies to one-time purchases only.
    case oneTimePurchaseOnly
}
