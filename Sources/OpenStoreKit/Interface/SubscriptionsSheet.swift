public import PurchaseModel

/// The sheet in which a user manages subscriptions.
public struct SubscriptionsSheet: Hashable, Sendable {
    /// One subscription.
    public struct Subscription: Hashable, Sendable {
        /// A transaction of the subscription.
        public let transaction: TransactionID
        /// The product.
        public let productID: ProductID
        /// Whether auto-renew is enabled.
        public let willAutoRenew: Bool

        /// Describes a subscription.
        public init(transaction: TransactionID, productID: ProductID, willAutoRenew: Bool) {
            self.transaction = transaction
            self.productID = productID
            self.willAutoRenew = willAutoRenew
        }
    }

    /// A change that the user requests.
    public enum Change: Hashable, Sendable {
        /// Disable auto-renew.
        case disableAutoRenew(TransactionID)
        /// Enable auto-renew.
        case enableAutoRenew(TransactionID)
        /// Change to another product of the group.
        case change(TransactionID, to: ProductID)
    }

    /// The subscriptions of the account in the app.
    public let subscriptions: [Subscription]

    /// Describes subscriptions.
    public init(subscriptions: [Subscription]) {
        self.subscriptions = subscriptions
    }
}
