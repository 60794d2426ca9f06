/// An offer in force, and how far it has been used.
public struct OfferUse: Hashable, Sendable {
    /// The offer.
    public let offer: SubscriptionOffer
    /// Which of the offer's periods this is, from 1.
    public let number: Int

    /// The first period of an offer.
    public init(_ offer: SubscriptionOffer) {
        self.init(offer, number: 1)
    }

    /// A later period of an offer.
    package init(_ offer: SubscriptionOffer, number: Int) {
        self.offer = offer
        self.number = number
    }

    /// How many periods it is charged for: more than one only when paid as you go.
    public var count: Int {
        offer.mode == .payAsYouGo ? min(max(offer.periodCount, 1), 366) : 1
    }

    /// The period after this one; nil when the offer is used up.
    public var next: OfferUse? {
        number < count ? OfferUse(offer, number: number + 1) : nil
    }

    /// How long one charge lasts.
    public var period: BillingPeriod {
        offer.mode == .payAsYouGo ? offer.period : offer.totalPeriod
    }
}
