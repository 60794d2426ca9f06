public import PurchaseModel

/// The sheet in which a user manages subscriptions.
public struct SubscriptionsSheet: Hashable, Sendable {
    /// A subscription on the sheet.
    public struct Subscription: Hashable, Sendable {
        /// A transaction of the subscription.
        public let transaction: TransactionID
        /// The identifier of the subscription's product.
        public let productID: ProductID
        /// Whether auto-renew is enabled.
        public let willAutoRenew: Bool

        /// Creates a subscription for the sheet.
        public init(transaction: TransactionID, productID: ProductID, willAutoRenew: Bool) {
            self.transaction = transaction
            self.productID = productID
            self.willAutoRenew = willAutoRenew
        }
    }

    /// A change of a subscription that the user requests.
    public enum Change: Hashable, Sendable {
        /// Disable auto-renew for the subscription with this transaction.
        case disableAutoRenew(TransactionID)
        /// Enable auto-renew for the subscription with this transaction.
        case enableAutoRenew(TransactionID)
        /// Change the subscription with this transaction to another product of its group.
        case change(TransactionID, to: ProductID)
    }

    /// The subscriptions of the account in the app.
    public let subscriptions: [Subscription]

    /// Creates a sheet with subscriptions.
    public init(subscriptions: [Subscription]) {
        self.subscriptions = subscriptions
    }
}
