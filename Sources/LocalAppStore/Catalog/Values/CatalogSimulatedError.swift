/// A simulated error of one StoreKit function.
public struct CatalogSimulatedError: Codable, Hashable, Sendable {
    /// An error: a position in one of StoreKit's error types.
    public struct Choice: Codable, Hashable, Sendable {
        /// The error type: `generic`, `purchase` or `verification`.
        public var type: String
        /// The position of the case, from 0.
        public var index: Int

        /// Creates a reference to an error.
        public init(type: String, index: Int) {
            self.type = type
            self.index = index
        }
    }

    /// The functions that can fail, by Xcode's names and in Xcode's order.
    public static let names = [
        "Load Products", "Purchase", "Verification", "App Store Sync", "Subscription Status", "App Transaction",
        "Manage Subscriptions Sheet", "Refund Request Sheet", "Offer Code Redeem Sheet",
    ]

    /// The name of the function, one of ``names``; unknown names are kept.
    public var name: String
    /// Whether the function fails.
    public var isEnabled: Bool
    /// The error; a disabled entry keeps its error.
    public var current: Choice?

    /// Creates a simulated error.
    public init(name: String, isEnabled: Bool = false, current: Choice? = nil) {
        self.name = name
        self.isEnabled = isEnabled
        self.current = current
    }

    /// The error if the entry is enabled; otherwise nil.
    public var active: Choice? { isEnabled ? current : nil }
}
