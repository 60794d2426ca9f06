import PurchaseModel

extension Product {
    /// What a subscription has that other products do not.
    public struct SubscriptionInfo: Hashable, Sendable {
        /// The offer for new subscribers, applied without asking to who may have it; nil when there is none.
        public let introductoryOffer: SubscriptionOffer?
        /// The offers that need a signature of the developer's server, whoever may have them.
        public let promotionalOffers: [SubscriptionOffer]
        /// The offers for former subscribers, whoever may have them.
        public let winBackOffers: [SubscriptionOffer]
        /// The group of which a customer holds one subscription at a time.
        public let subscriptionGroupID: String
        /// The duration of one paid period.
        public let subscriptionPeriod: SubscriptionPeriod
        /// The level of service in the group; 1 is the highest.
        public let groupLevel: Int
        /// The group's name in the storefront's language.
        public let groupDisplayName: String

        let origin: Origin

        init(_ terms: SubscriptionTerms, of product: StoreProduct, origin: Origin) {
            func offers(_ kind: OfferType) -> [SubscriptionOffer] {
                // The store sells the ordinary plan only.
                terms.offers.filter { $0.kind == kind && $0.billingPlan == nil }.map { SubscriptionOffer($0, locale: product.priceLocale) }
            }
            introductoryOffer = offers(.introductory).first
            promotionalOffers = offers(.promotional)
            winBackOffers = offers(.winBack)
            subscriptionGroupID = terms.group.rawValue
            subscriptionPeriod = SubscriptionPeriod(terms.period)
            groupLevel = terms.level
            groupDisplayName = terms.groupName
            self.origin = origin
        }
    }
}
