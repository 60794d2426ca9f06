/// A customer's subscriptions in one group.
public struct SubscriptionGroupStatus: Codable, Hashable, Sendable {
    /// The subscription group.
    public var subscriptionGroupIdentifier: SubscriptionGroupID
    /// The subscriptions, one for each original transaction.
    public var lastTransactions: [LastTransaction]

    /// Creates an element.
    public init(subscriptionGroupIdentifier: SubscriptionGroupID, lastTransactions: [LastTransaction]) {
        self.subscriptionGroupIdentifier = subscriptionGroupIdentifier
        self.lastTransactions = lastTransactions
    }
}
