/// An offer in force, with the number of its current period.
public struct AppliedOffer: Hashable, Sendable {
    /// The offer.
    public let offer: SubscriptionOffer
    /// The number of the current period within the offer, from 1.
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

    /// The number of periods that the offer covers with a charge each; more than one only for a pay-as-you-go offer.
    public var count: Int {
        offer.mode == .payAsYouGo ? min(max(offer.periodCount, 1), 366) : 1
    }

    /// The use of the offer in the following period; nil when the offer has no further period.
    public var next: AppliedOffer? {
        number < count ? AppliedOffer(offer, number: number + 1) : nil
    }

    /// The duration that one charge covers.
    public var period: BillingPeriod {
        offer.mode == .payAsYouGo ? offer.period : offer.totalPeriod
    }
}
