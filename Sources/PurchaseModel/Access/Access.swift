/// Whether a customer may use a product, and why.
public struct Access: Codable, Hashable, Sendable {
    /// The state behind the answer.
    public enum State: String, Codable, Hashable, Sendable {
        /// Never bought, as far as is known.
        case none
        /// Bought; does not end by itself.
        case owned
        /// A paid subscription.
        case active
        /// A renewal failed; access goes on for a while.
        case gracePeriod = "grace-period"
        /// A renewal failed and access has ended.
        case billingRetry = "billing-retry"
        /// Ended.
        case expired
        /// Refunded, or no longer shared.
        case revoked
    }

    /// The answer.
    public var isGranted: Bool
    /// The state behind it.
    public var state: State
    /// Until when it holds, where that is known.
    public var until: Timestamp?
    /// The fact that decided.
    public var reason: String

    /// Creates an answer.
    public init(isGranted: Bool, state: State, until: Timestamp?, reason: String) {
        self.isGranted = isGranted
        self.state = state
        self.until = until
        self.reason = reason
    }

    /// The answer when nothing is known of a purchase.
    public static let unknownPurchase = Access(isGranted: false, state: .none, until: nil, reason: "no purchase is known")
}
