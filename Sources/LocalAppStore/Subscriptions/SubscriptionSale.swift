/// The result of a purchase of a subscription.
struct SubscriptionSale {
    /// The transaction of the new period, or of the current period if the change takes effect at the next renewal.
    var transaction: TransactionRecord
    /// The subscription whose Family Sharing the purchase changes; nil if the purchase changes no access.
    var changedSharing: SubscriptionRecord?
}
