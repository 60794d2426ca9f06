/// Why a customer cannot have an offer.
public enum OfferRefusal: Error, Hashable, Sendable, CaseIterable {
    /// An introductory offer was used before in the group.
    case introductoryUsed
    /// The offer is for those who were subscribed before.
    case neverSubscribed
    /// The offer is for those who are not subscribed now.
    case subscribed
    /// The offer is for those who are subscribed now.
    case lapsed
    /// The offer's test switch says no.
    case switchedOff
    /// The offer is for products that are bought once.
    case notForSubscriptions
}
