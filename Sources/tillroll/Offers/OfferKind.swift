import ArgumentParser

/// The kinds of data that a developer's server signs with its own key.
enum OfferKind: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// A promotional offer in its original form: seven fields joined by U+2063.
    case promotional
    /// A promotional offer as a JWS.
    case promotionalV2 = "promotional-v2"
    /// The eligibility of a customer for the introductory offer.
    case introductory
    /// A request of Advanced Commerce.
    case advancedCommerce = "advanced-commerce"
    /// The JWT that authorizes calls of the App Store Server API.
    case apiToken = "api-token"
}
