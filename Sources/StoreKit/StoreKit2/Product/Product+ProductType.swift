extension Product {
    /// The type of the product.
    public struct ProductType: RawRepresentable, Hashable, Sendable {
        /// The store's raw value.
        public let rawValue: String

        /// Creates a type from the store's raw value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A product that is used up and can be purchased again.
        public static let consumable = ProductType(rawValue: "Consumable")
        /// A product that is purchased once and does not expire.
        public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
        /// A subscription whose duration the app defines, and that does not renew.
        public static let nonRenewable = ProductType(rawValue: "Non-Renewing Subscription")
        /// A subscription that renews each period until the customer cancels it.
        public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")

        /// The type in English, for display.
        public var localizedDescription: String { rawValue }
    }
}
