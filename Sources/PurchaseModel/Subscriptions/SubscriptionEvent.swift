/// An event that a subscription processes, such as a purchase, a due renewal or a refund.
public enum SubscriptionEvent: Hashable, Sendable {
    /// The store's clock reached the subscription's ``Subscription/nextRenewalDate``.
    ///
    /// The event states whether the account's payment method is valid, and whether the product of ``Subscription/nextPlan`` is still
    /// available.
    case due(hasValidPaymentMethod: Bool, isProductAvailable: Bool = true)
    /// The account resolved its billing issue.
    case billingIssueResolved
    /// The customer enabled (true) or disabled (false) auto-renew.
    case autoRenew(Bool)
    /// The customer purchased a product of the subscription group, or redeemed an offer for such a product.
    case purchase(SubscriptionPurchase)
    /// The price of a product changed, which affects the subscriptions that renew with this product.
    case priceChanged(of: ProductID, to: Money, requiresConsent: Bool)
    /// The customer consented to a price increase (true) or declined the price increase (false).
    case priceConsent(Bool)
    /// The subscription period with this number was refunded, in full or by a part in thousandths of a percent.
    case refunded(period: Int, percentage: Int? = nil)
    /// The customer chose the number of seats of the next renewal, at most that of the newest period.
    case seatsAtRenewal(Int)
    /// This number of the newest period's seats was refunded, in any of its transactions.
    case seatsRefunded(Int)
    /// The refund of this number of the newest period's seats was reversed.
    case seatRefundReversed(Int)
    /// The refund of the subscription period with this number was reversed.
    case refundReversed(period: Int)
    /// The subscription moves into a bundle; ``Subscription/canMoveToBundle(at:)`` returns whether that is possible.
    case bundled(SubscriptionBundle)
    /// The subscription leaves its bundle at the end of the period; nil if it stays after all.
    case unbundled(Subscription.Unbundling?)
    /// Family Sharing ended for this Family Sharing entitlement; has no effect on a purchased subscription.
    case sharingEnded
    /// The renewal date is extended by 1 to 90 days; ``Subscription/refusal(ofExtensionBy:at:)`` returns why that is impossible.
    case extended(days: Int)
    /// A tester ends the current period now and starts the next one.
    case renewalForced(hasValidPaymentMethod: Bool = true)
    /// A tester charges the next renewal now; the running period continues until its end.
    ///
    /// ``Subscription/canChargeAhead(at:hasValidPaymentMethod:)`` returns whether that is possible.
    case renewalChargedAhead(hasValidPaymentMethod: Bool = true)
    /// A tester expires the subscription now.
    case expiryForced
}
