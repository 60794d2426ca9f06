/// What all the signed facts of one purchase add up to.
public struct Entitlement: Codable, Hashable, Sendable {
    /// Where the purchase stands.
    public enum State: Codable, Hashable, Sendable {
        /// Bought; does not end by itself.
        case owned
        /// A subscription that is paid until then.
        case active(until: Timestamp)
        /// A renewal failed; access goes on until then.
        case gracePeriod(until: Timestamp)
        /// A renewal failed; access has ended while the store tries on.
        case billingRetry
        /// Ended.
        case expired
        /// Refunded, or no longer shared.
        case revoked
    }

    /// The purchase.
    public var originalTransactionID: TransactionID
    /// The product.
    public var productID: ProductID
    /// Where it stands.
    public var state: State
    /// The fact that decided: its source and when it was signed.
    public var decidedBy: String
    /// When the deciding fact was signed.
    public var decidedAt: Timestamp

    /// Whether it gives access at a point in time, and why.
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

    private var reason: String { "\(decidedBy), signed \(decidedAt)" }
}
