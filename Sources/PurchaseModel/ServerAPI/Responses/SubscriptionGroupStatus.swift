/// The status of a customer's subscriptions in one subscription group.
public struct SubscriptionGroupStatus: Codable, Hashable, Sendable {
    /// The identifier of the subscription group.
    public var subscriptionGroupIdentifier: SubscriptionGroupID
    /// The status and the newest transaction of each subscription; each original transaction is one subscription.
    public var lastTransactions: [LastTransaction]

    /// Creates the status of a subscription group.
    public init(subscriptionGroupIdentifier: SubscriptionGroupID, lastTransactions: [LastTransaction]) {
        self.subscriptionGroupIdentifier = subscriptionGroupIdentifier
        self.lastTransactions = lastTransactions
    }
}
