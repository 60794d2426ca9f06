import PurchaseModel

extension Product {
    /// The properties of an auto-renewable subscription.
    public struct SubscriptionInfo: Hashable, Sendable {
        /// The introductory offer, which the store applies automatically for eligible customers; nil if the subscription has none.
        ///
        /// This offer, ``promotionalOffers`` and ``winBackOffers`` belong to the upfront plan; ``pricingTerms`` contains the offers of each
        /// billing plan.
        public let introductoryOffer: SubscriptionOffer?
        /// The promotional offers, whether or not the customer is eligible; each requires a signature of the developer's server.
        public let promotionalOffers: [SubscriptionOffer]
        /// The win-back offers for former subscribers, whether or not the customer is eligible.
        public let winBackOffers: [SubscriptionOffer]
        /// The identifier of the subscription group, in which a customer has at most one subscription at a time.
        public let subscriptionGroupID: String
        /// The duration of one billing period at the standard price.
        public let subscriptionPeriod: SubscriptionPeriod
        /// The level of service of the subscription in its group; 1 is the highest level.
        public let groupLevel: Int
        /// The name of the subscription group, in the storefront's language.
        public let groupDisplayName: String
        /// The prices and offers of each billing plan, the upfront plan first.
        public let pricingTerms: [PricingTerms]
        /// The subscriptions of a bundle; always empty, because the local store sells no bundles.
        public let bundledSubscriptions: [BundledSubscription] = []

        let origin: Origin

        init(_ terms: SubscriptionTerms, of product: StoreProduct, origin: Origin) {
            let allTerms = PricingTerms.all(terms, of: product)
            func offers(_ type: SubscriptionOffer.OfferType) -> [SubscriptionOffer] { allTerms.first?[offers: type] ?? [] }
            introductoryOffer = offers(.introductory).first
            promotionalOffers = offers(.promotional)
            winBackOffers = offers(.winBack)
            subscriptionGroupID = terms.group.rawValue
            subscriptionPeriod = SubscriptionPeriod(terms.period)
            groupLevel = terms.level
            groupDisplayName = terms.groupName
            pricingTerms = allTerms
            self.origin = origin
        }
    }
}
