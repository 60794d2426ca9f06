/// An error that a test simulates for one StoreKit function.
public struct CatalogSimulatedError: Codable, Hashable, Sendable {
    /// A reference to a case of one of StoreKit's error types.
    public struct Choice: Codable, Hashable, Sendable {
        /// The name of the error type: `generic`, `purchase` or `verification`.
        ///
        /// The types are `StoreKitError`, `Product.PurchaseError` and `VerificationResult.VerificationError`.
        public var type: String
        /// The position of the case in the error type, counted from 0.
        public var index: Int

        /// Creates a reference to a case of an error type.
        public init(type: String, index: Int) {
            self.type = type
            self.index = index
        }
    }

    /// The names of the StoreKit functions for which Xcode simulates errors, in Xcode's order.
    public static let names = [
        "Load Products", "Purchase", "Verification", "App Store Sync", "Subscription Status", "App Transaction",
        "Manage Subscriptions Sheet", "Refund Request Sheet", "Offer Code Redeem Sheet",
    ]

    /// The name of the StoreKit function, one of ``names``; an unknown name in a file is kept.
    public var name: String
    /// Whether the function throws the error.
    public var isEnabled: Bool
    /// The error that the function throws if ``isEnabled`` is true; nil if no error is selected.
    public var current: Choice?

    /// Creates a simulated error.
    public init(name: String, isEnabled: Bool = false, current: Choice? = nil) {
        self.name = name
        self.isEnabled = isEnabled
        self.current = current
    }

    /// The error that the function throws; nil if the function does not fail.
    public var active: Choice? { isEnabled ? current : nil }
}
