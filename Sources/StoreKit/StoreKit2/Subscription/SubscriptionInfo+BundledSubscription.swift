public import Foundation

extension Product.SubscriptionInfo {
    /// A subscription of a bundle, which is also sold alone.
    public struct BundledSubscription: Hashable, Sendable {
        /// The identifier of the product.
        public let id: Product.ID
        /// The name of the product, in the storefront's language.
        public let displayName: String
        /// The description of the product, in the storefront's language.
        public let description: String
        /// The price of the product alone, in the storefront's currency.
        public let price: Decimal
        /// The price of the product alone, formatted for the user.
        public let displayPrice: String
        /// Whether Family Sharing is available for the product.
        public let isFamilyShareable: Bool
        /// The identifier of the product's subscription group.
        public let subscriptionGroupID: String
        /// The level of service of the product in its subscription group; 1 is the highest level.
        public let subscriptionGroupLevel: Int
        /// The name of the product's subscription group, in the storefront's language.
        public let subscriptionGroupDisplayName: String
    }
}
