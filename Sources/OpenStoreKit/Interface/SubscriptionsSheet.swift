public import PurchaseModel

/// What the user sees who manages their subscriptions.
public struct SubscriptionsSheet: Hashable, Sendable {
    /// One subscription.
    public struct Subscription: Hashable, Sendable {
        /// A transaction of it.
        public let transaction: TransactionID
        /// The product.
        public let productID: ProductID
        /// Whether it renews.
        public let renews: Bool

        /// Describes a subscription.
        public init(transaction: TransactionID, productID: ProductID, renews: Bool) {
            self.transaction = transaction
            self.productID = productID
            self.renews = renews
        }
    }

    /// What the user wants changed.
    public enum Change: Hashable, Sendable {
        /// No renewal any more.
        case cancel(TransactionID)
        /// Renewal again.
        case renew(TransactionID)
        /// Another product of the group.
        case change(TransactionID, to: ProductID)
    }

    /// The subscriptions of the account in the app.
    public let subscriptions: [Subscription]

    /// Describes subscriptions.
    public init(subscriptions: [Subscription]) {
        self.subscriptions = subscriptions
    }
}
