/// The bundle through which a customer has a subscription.
///
/// Apple's documentation that this project has seen describes the fields of signed data only. The store's rules are assumptions, which
/// `docs/subscriptions.md` lists.
public struct SubscriptionBundle: Codable, Hashable, Sendable {
    /// The product identifier of the bundle.
    public let productID: ProductID
    /// The subscription group of the bundle.
    public let groupID: SubscriptionGroupID
    /// The identifier of the bundle's first transaction.
    public let originalTransactionID: TransactionID

    /// Creates the bundle of a subscription.
    public init(productID: ProductID, groupID: SubscriptionGroupID, originalTransactionID: TransactionID) {
        self.productID = productID
        self.groupID = groupID
        self.originalTransactionID = originalTransactionID
    }
}

extension Subscription {
    /// The continuation of a subscription that leaves its bundle at the end of the period.
    public enum Unbundling: String, Codable, Hashable, Sendable, CaseIterable {
        /// The subscription renews as a stand-alone product.
        case renewsAlone = "renews-alone"
        /// The subscription expires with the expiration intent 6.
        case expires = "expires"
    }

    /// The bundle of the next renewal; nil if the subscription does not renew in a bundle.
    public var nextBundle: SubscriptionBundle? { unbundling == nil && pendingPlan == nil ? period.bundle : nil }

    /// Whether the subscription leaves its bundle at the next renewal (`isPendingUnbundle`).
    public var isPendingUnbundle: Bool {
        period.bundle != nil && !hasEnded && (unbundling == .expires || willAutoRenew && nextBundle == nil)
    }

    /// Returns whether the subscription can move into a bundle at `now`.
    ///
    /// A subscription with seats, a commitment, a bundle, a pending plan or offer, or a renewal that was charged ahead stays as it is.
    public func canMoveToBundle(at now: Timestamp) -> Bool {
        guard state == .active, !isRevokedAtStart, !isChargedAhead(at: now), pendingPlan == nil, pendingOffer == nil else { return false }
        return period.commitment == nil && plan.commitment == nil && seats == nil && period.bundle == nil
    }

    /// Ends the running period, starts the bundle's first one, and returns the actions that follow.
    mutating func move(to bundle: SubscriptionBundle, at now: Timestamp) -> [SubscriptionAction] {
        guard canMoveToBundle(at: now) else { return [] }
        let old = period.number
        let refund = SubscriptionRevocation.prorated(from: period.start, to: paidUntil, at: now)
        // A price increase takes effect at the next renewal, as without the bundle.
        let priceIncrease = priceIncrease
        guard startPeriod(plan, nil, from: max(rules.transactionDate(now), period.start), .purchase, in: bundle) else { return [] }
        self.priceIncrease = priceIncrease
        renewals = 0
        return [
            .revokeForBundle(period: old, refund: ownership == .purchased ? refund : nil), .charge(period),
            notifyAction(.planChanged(.upgrade)),
        ] + (autoRenews ? [] : setAutoRenew(true))
    }

    /// Plans the end of the bundle for the end of the period, or cancels that plan, and returns the actions that follow.
    mutating func setUnbundling(_ new: Unbundling?) -> [SubscriptionAction] {
        guard period.bundle != nil, state == .active, unbundling != new else { return [] }
        unbundling = new
        return [notifyAction(.planChanged(new == nil ? nil : .downgrade))]
    }
}
