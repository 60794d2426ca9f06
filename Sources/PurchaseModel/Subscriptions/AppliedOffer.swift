/// An offer that applies to a subscription period, with the number of the period within the offer.
public struct AppliedOffer: Hashable, Sendable {
    /// The offer that applies.
    public let offer: SubscriptionOffer
    /// The number of the subscription period within the offer, counted from 1.
    public let number: Int

    /// Creates the value for the first subscription period of an offer.
    public init(_ offer: SubscriptionOffer) {
        self.init(offer, number: 1)
    }

    /// Creates the value for the subscription period with a number within an offer, counted from 1.
    package init(_ offer: SubscriptionOffer, number: Int) {
        self.offer = offer
        self.number = number
    }

    /// The number of subscription periods that the offer applies to; 1 unless the offer is pay as you go.
    public var count: Int {
        offer.mode == .payAsYouGo ? min(max(offer.periodCount, 1), 366) : 1
    }

    /// The offer in the following subscription period; nil after the last period of the offer.
    public var next: AppliedOffer? {
        number < count ? AppliedOffer(offer, number: number + 1) : nil
    }

    /// The duration of a subscription period to which the offer applies.
    public var period: BillingPeriod {
        offer.mode == .payAsYouGo ? offer.period : offer.totalPeriod
    }
}
