/// The payment mode of an offer.
public enum OfferDiscountType: String, Codable, Hashable, Sendable, CaseIterable {
    /// The customer pays nothing for the duration of the offer.
    case freeTrial = "FREE_TRIAL"
    /// The customer pays a discounted price in each period of the offer.
    case payAsYouGo = "PAY_AS_YOU_GO"
    /// The customer pays once for all periods of the offer.
    case payUpFront = "PAY_UP_FRONT"
    /// The customer pays a discounted price once, for a product that does not renew.
    case oneTime = "ONE_TIME"
}
