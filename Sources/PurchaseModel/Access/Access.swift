/// A customer's access to a product, with the reason.
public struct Access: Codable, Hashable, Sendable {
    /// The state of the purchase that determines access.
    public enum State: String, Codable, Hashable, Sendable {
        /// No purchase is known.
        case none
        /// The customer owns the product, and access has no end date.
        case owned
        /// The subscription is active and paid.
        case active
        /// A renewal failed, and access continues in the billing grace period.
        case gracePeriod = "grace-period"
        /// A renewal failed and access has ended; the billing retry period continues.
        case billingRetry = "billing-retry"
        /// The subscription has expired.
        case expired
        /// The purchase was refunded, or is no longer shared.
        case revoked
    }

    /// Whether the customer has access.
    public var isGranted: Bool
    /// The state of the purchase.
    public var state: State
    /// The end of the current state, if known.
    public var until: Timestamp?
    /// The signed event that determined the access.
    public var reason: String

    /// Creates an access value.
    public init(isGranted: Bool, state: State, until: Timestamp?, reason: String) {
        self.isGranted = isGranted
        self.state = state
        self.until = until
        self.reason = reason
    }

    /// The access when there is no purchase.
    public static let unknownPurchase = Access(isGranted: false, state: .none, until: nil, reason: "no purchase")
}
