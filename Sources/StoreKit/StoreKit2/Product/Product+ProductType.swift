extension Product {
    /// The type of the product.
    public struct ProductType: RawRepresentable, Hashable, Sendable {
        /// The App Store's text for the type, such as `Consumable`.
        public let rawValue: String

        /// Creates a type from the App Store's text, such as `Consumable`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A product that is used up and can be purchased again.
        public static let consumable = ProductType(rawValue: "Consumable")
        /// A product that is purchased once and does not expire.
        public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
        /// A subscription that does not renew automatically, and whose duration the app defines.
        public static let nonRenewable = ProductType(rawValue: "Non-Renewing Subscription")
        /// A subscription that renews each period until the customer cancels it.
        public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")

        /// A description of the type, always in English.
        public var localizedDescription: String { rawValue }
    }
}
