/// What a customer buys of a group: a plan, and the offer that comes with it.
public struct SubscriptionPurchase: Hashable, Sendable {
    /// The plan, at the price of the customer's storefront.
    public var plan: SubscriptionPlan
    /// The offer that the first period is bought with; ask ``SubscriptionOffer/refusal(for:)`` before.
    public var offer: SubscriptionOffer?
    /// The offer that follows: a code that may be combined with the introductory offer.
    public var followingOffer: SubscriptionOffer?

    /// Creates a purchase.
    public init(_ plan: SubscriptionPlan, offer: SubscriptionOffer? = nil, followedBy followingOffer: SubscriptionOffer? = nil) {
        self.plan = plan
        self.offer = offer
        self.followingOffer = followingOffer
    }
}
