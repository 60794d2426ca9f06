/// An event that affects a subscription.
public enum SubscriptionEvent: Hashable, Sendable {
    /// The date of ``Subscription/nextRenewalDate`` was reached.
    ///
    /// The event states whether the account's payment method is valid, and whether the product of ``Subscription/nextPlan`` is still
    /// available.
    case due(hasValidPaymentMethod: Bool, isProductAvailable: Bool = true)
    /// The account resolved its billing issue.
    case billingIssueResolved
    /// The customer enabled or disabled auto-renew.
    case autoRenew(Bool)
    /// The customer paid for a product of the subscription group, or redeemed an offer for one.
    case purchase(SubscriptionPurchase)
    /// The price of a product changed; the change affects this subscription when it renews to that product.
    case priceChanged(of: ProductID, to: Money, requiresConsent: Bool)
    /// The customer consented to a price increase, or declined it.
    case priceConsent(Bool)
    /// A charge was refunded, in full or for the remaining time.
    case refunded(period: Int, prorated: Bool = false)
    /// A refund was reversed.
    case refundReversed(period: Int)
    /// Family Sharing of the subscription ended; only for a Family Sharing entitlement.
    case sharingEnded
    /// The renewal date is extended by 1 to 90 days; check ``Subscription/refusal(ofExtensionBy:at:)`` before.
    case extended(days: Int)
    /// A tester ends the current period now and starts the next one.
    case renewalForced(hasValidPaymentMethod: Bool = true)
    /// A tester expires the subscription now.
    case expiryForced
}
