/// What happens to a subscription.
public enum SubscriptionEvent: Hashable, Sendable {
    /// The time of ``Subscription/nextDue`` has come.
    ///
    /// Says whether the customer's card can be charged, and whether the product of ``Subscription/nextPlan`` is still sold.
    case due(cardWorks: Bool, forSale: Bool = true)
    /// The customer's card works again.
    case billingIssueResolved
    /// The customer switched renewal on or off.
    case autoRenew(Bool)
    /// The customer bought a product of the group, or redeemed an offer for one, and could pay.
    case purchase(SubscriptionPurchase)
    /// The price of a product changed; it concerns this subscription when it renews to that product.
    case priceChanged(of: ProductID, to: Money, needsConsent: Bool)
    /// The customer agreed to a higher price, or declined it.
    case priceConsent(Bool)
    /// A charge was given back: all of it, or for the time that was left.
    case refunded(period: Int, prorated: Bool = false)
    /// A refund was undone.
    case refundReversed(period: Int)
    /// The family does not share it any more; for a member's copy only.
    case sharingEnded
    /// The renewal date is put off by 1 to 90 days; ask ``Subscription/refusal(ofExtensionBy:at:)`` before.
    case extended(days: Int)
    /// A tester ends the period now and starts the next one.
    case renewalForced(cardWorks: Bool = true)
    /// A tester ends the subscription now.
    case expiryForced
}
