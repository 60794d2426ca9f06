/// A customer's entitlement to a product, which results from all signed events of one purchase.
public struct Entitlement: Codable, Hashable, Sendable {
    /// The state of the purchase.
    public enum State: Codable, Hashable, Sendable {
        /// The customer owns the product, and access has no end date.
        case owned
        /// The subscription is active and paid until this date.
        case active(until: Timestamp)
        /// A renewal failed; access continues in the billing grace period until this date.
        case gracePeriod(until: Timestamp)
        /// A renewal failed and access has ended; the billing retry period continues.
        case billingRetry
        /// The subscription has expired.
        case expired
        /// The purchase was refunded, or is no longer available through Family Sharing.
        case revoked
    }

    /// The original transaction identifier of the purchase.
    public var originalTransactionID: TransactionID
    /// The product identifier.
    public var productID: ProductID
    /// The state of the purchase.
    public var state: State
    /// The source of the signed event that determined the state, such as `DID_RENEW` or `app`.
    public var source: String
    /// The signature date of the signed event that determined the state.
    public var signedDate: Timestamp

    /// Returns the customer's access to the product at a point in time, with the reason.
    public func access(at now: Timestamp) -> Access {
        switch state {
        case .owned:
            Access(isGranted: true, state: .owned, until: nil, reason: reason)
        case .active(let until):
            Access(isGranted: now < until, state: now < until ? .active : .expired, until: until, reason: reason)
        case .gracePeriod(let until):
            Access(isGranted: now < until, state: now < until ? .gracePeriod : .billingRetry, until: until, reason: reason)
        case .billingRetry:
            Access(isGranted: false, state: .billingRetry, until: nil, reason: reason)
        case .expired:
            Access(isGranted: false, state: .expired, until: nil, reason: reason)
        case .revoked:
            Access(isGranted: false, state: .revoked, until: nil, reason: reason)
        }
    }

    private var reason: String { "\(source), signed \(signedDate)" }
}
