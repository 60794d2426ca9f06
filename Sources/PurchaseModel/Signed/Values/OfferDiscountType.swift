/// How an offer is paid.
public enum OfferDiscountType: String, Codable, Hashable, Sendable, CaseIterable {
    /// Not at all.
    case freeTrial = "FREE_TRIAL"
    /// A lower price in each period.
    case payAsYouGo = "PAY_AS_YOU_GO"
    /// Once for all its periods.
    case payUpFront = "PAY_UP_FRONT"
    /// Once, for a product that is bought once.
    case oneTime = "ONE_TIME"
}
