/// A customer's access to a product, with the reason.
public struct Access: Codable, Hashable, Sendable {
    /// The state of the purchase that determines a customer's access.
    public enum State: String, Codable, Hashable, Sendable {
        /// The customer has no known purchase of the product.
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
        /// The purchase was refunded, or is no longer available through Family Sharing.
        case revoked
    }

    /// Whether the customer has access to the product.
    public var isGranted: Bool
    /// The state of the purchase.
    public var state: State
    /// The end of the paid period or of the billing grace period; nil for a state without such an end.
    public var until: Timestamp?
    /// The source and the signature date of the signed event that determined the access, or `no purchase`.
    public var reason: String

    /// Creates a value that describes a customer's access to a product.
    public init(isGranted: Bool, state: State, until: Timestamp?, reason: String) {
        self.isGranted = isGranted
        self.state = state
        self.until = until
        self.reason = reason
    }

    /// The access of a customer who has not purchased the product.
    public static let unknownPurchase = Access(isGranted: false, state: .none, until: nil, reason: "no purchase")
}
