/// A failure that the file asks for in one of StoreKit's functions.
public struct CatalogSimulatedError: Codable, Hashable, Sendable {
    /// Which failure: a position in one of StoreKit's error types.
    public struct Choice: Codable, Hashable, Sendable {
        /// The error type: `generic`, `purchase` or `verification`.
        public var type: String
        /// The position of the case, from 0.
        public var index: Int

        /// Creates a choice.
        public init(type: String, index: Int) {
            self.type = type
            self.index = index
        }
    }

    /// The functions by the names that Xcode writes, in its order.
    public static let names = [
        "Load Products", "Purchase", "Verification", "App Store Sync", "Subscription Status", "App Transaction",
        "Manage Subscriptions Sheet", "Refund Request Sheet", "Offer Code Redeem Sheet",
    ]

    /// The function, one of ``names``; unknown ones are kept.
    public var name: String
    /// Whether it fails now.
    public var isEnabled: Bool
    /// The failure; remembered while it is not enabled.
    public var current: Choice?

    /// Creates a failure.
    public init(name: String, isEnabled: Bool = false, current: Choice? = nil) {
        self.name = name
        self.isEnabled = isEnabled
        self.current = current
    }

    /// The failure that is active now.
    public var active: Choice? { isEnabled ? current : nil }
}
