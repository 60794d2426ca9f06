/// A customer's purchase in a subscription group: a plan, and an optional offer.
public struct SubscriptionPurchase: Hashable, Sendable {
    /// The plan, at the price of the customer's storefront.
    public var plan: SubscriptionPlan
    /// The offer for the first period; check ``SubscriptionOffer/refusal(for:)`` before.
    public var offer: SubscriptionOffer?
    /// The offer that follows the first one: an offer code that can be combined with the introductory offer.
    public var followingOffer: SubscriptionOffer?

    /// Creates a purchase.
    public init(_ plan: SubscriptionPlan, offer: SubscriptionOffer? = nil, followedBy followingOffer: SubscriptionOffer? = nil) {
        self.plan = plan
        self.offer = offer
        self.followingOffer = followingOffer
    }
}
