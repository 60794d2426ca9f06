import PurchaseModel

/// The result of a purchase of a subscription.
///
/// The caller changes Family Sharing, so that the service of subscriptions does not depend on the service of families.
struct SubscriptionSale {
    /// The transaction of the new period, or of the current period if the change takes effect at the next renewal.
    var transaction: TransactionRecord
    /// The subscription whose Family Sharing the purchase changes; nil if the purchase changes no access.
    var changedSharing: SubscriptionRecord?
}

/// The payment that starts a new subscription period, with the device and the app version that sent it.
struct SubscriptionPurchaseContext {
    var payment: PaymentRecord
    var device: DeviceID
    var appVersion: String
}
