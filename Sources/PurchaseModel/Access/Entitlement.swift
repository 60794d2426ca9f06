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
    /// The transaction of the latest paid period.
    public var transactionID: TransactionID
    /// The purchase date of the latest paid period.
    public var purchaseDate: Timestamp
    /// The product type; nil when it is unknown.
    public var productType: ProductType?
    /// The customer's relation to the purchase; nil when it is unknown.
    public var ownership: Ownership?
    /// The environment of the purchase, such as `Production`.
    public var environment: String
    /// The product to which the subscription renews; nil for a purchase that does not renew.
    public var renewsTo: ProductID?

    /// Returns the customer's access to the product at a point in time, with the reason.
    ///
    /// - Parameters:
    ///   - now: The point in time.
    ///   - duration: The duration of a non-renewing subscription, which the App Store does not know; nil for access without an end.
    public func access(at now: Timestamp, nonRenewingDuration duration: BillingPeriod? = nil) -> Access {
        if state == .owned, productType == .nonRenewing, let duration {
            let until = duration.end(after: purchaseDate)
            return Access(isGranted: now < until, state: now < until ? .active : .expired, until: until, reason: reason)
        }
        return switch state {
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
