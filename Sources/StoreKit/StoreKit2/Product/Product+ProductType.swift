extension Product {
    /// The type of the product.
    public struct ProductType: RawRepresentable, Hashable, Sendable {
        /// The store's word for it.
        public let rawValue: String

        /// Creates a type from the store's word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Used up, and bought again.
        public static let consumable = ProductType(rawValue: "Consumable")
        /// Bought once, owned for ever.
        public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
        /// Lasts a time that the app knows; bought again by hand.
        public static let nonRenewable = ProductType(rawValue: "Non-Renewing Subscription")
        /// Paid again each period until it is cancelled.
        public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")

        /// The type as a person reads it.
        public var localizedDescription: String { rawValue }
    }
}
